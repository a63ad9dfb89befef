import type { Handle, Machine } from "./machine.ts";
import { given, has, type OptionSpec, optionsOf } from "./options.ts";
import { absolute } from "./scene.ts";
import { afterSubshell, type State, withVariable } from "./state.ts";

/**
 * Programs that run the command in their operands. `skip`: operands of their own before it. `text`: an option whose value is
 * shell text. `verbs`: only behind one of these words.
 */
type Wrapper = OptionSpec & { skip?: number; text?: readonly string[]; verbs?: readonly string[]; isBuiltin?: true };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    letters: "ughpCrtTUDR",
    names: ["user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "other-user"],
  },
  doas: { letters: "uC" },
  pkexec: { names: ["user"] },
  env: { letters: "uCS", names: ["unset", "chdir", "split-string"] },
  nice: { letters: "n", names: ["adjustment"] },
  ionice: { letters: "cnpPu", names: ["class", "classdata"] },
  nohup: {},
  setsid: {},
  stdbuf: { letters: "ioe", names: ["input", "output", "error"] },
  timeout: { letters: "sk", names: ["signal", "kill-after"], skip: 1 },
  time: { letters: "of", names: ["output", "format"] },
  unshare: { letters: "SG", names: ["setuid", "setgid", "root", "wd"] },
  nsenter: { letters: "tSGrw", names: ["target"] },
  flock: {
    letters: "wEc",
    names: ["wait", "timeout", "conflict-exit-code", "command"],
    skip: 1,
    text: ["-c", "--command"],
  },
  strace: { letters: "eopsaPSuEIOX", names: ["output", "trace"] },
  ltrace: { letters: "eopsalnuFA", names: ["output"] },
  "systemd-run": {
    letters: "puEGHM",
    names: ["property", "unit", "uid", "gid", "setenv", "description", "slice", "on-active", "working-directory"],
  },
  "systemd-inhibit": { names: ["what", "who", "why", "mode"] },
  chrt: { skip: 1, letters: "TPDp" },
  taskset: { skip: 1 },
  numactl: { letters: "NmCpi", names: ["membind", "cpunodebind", "physcpubind", "interleave"] },
  prlimit: {},
  setpriv: { names: ["reuid", "regid", "groups"] },
  caffeinate: { letters: "tw" },
  exec: { letters: "a", isBuiltin: true },
  command: { isBuiltin: true },
  builtin: { isBuiltin: true },
  coproc: {},
  busybox: {},
  toybox: {},
  "xvfb-run": { letters: "efnswp", names: ["server-args", "server-num", "auth-file", "error-file"] },
  "dbus-run-session": {},
  fakeroot: { letters: "lsi" },
  firejail: {},
  unbuffer: {},
  rlwrap: { letters: "aAbcCDefghHIlLmMnNopPqsStwWzZ" },
  watch: { letters: "nq", names: ["interval"] },
  entr: {},
  watchexec: { letters: "wefis" },
  nodemon: { letters: "wex", text: ["-x", "--exec"], names: ["exec", "watch", "ext"] },
  dotenv: { letters: "efv" },
  "cross-env": {},
  doppler: { verbs: ["run"] },
  npx: { letters: "pc", names: ["package", "call"], text: ["-c", "--call"] },
  bunx: {},
  uvx: { names: ["from"] },
  npm: { letters: "cp", names: ["package", "call"], text: ["-c", "--call"], verbs: ["exec", "x"] },
  pnpm: { verbs: ["exec", "dlx"] },
  yarn: { verbs: ["exec", "dlx"] },
  bun: { verbs: ["x"] },
  poetry: { verbs: ["run"] },
  uv: { verbs: ["run"], names: ["with", "python"] },
  pipenv: { verbs: ["run"] },
  bundle: { verbs: ["exec"] },
  conda: { verbs: ["run"], letters: "np", names: ["name", "prefix"] },
  mise: { verbs: ["exec", "x"] },
  direnv: { verbs: ["exec"], skip: 1 },
  "ld-linux-x86-64.so.2": { names: ["library-path", "preload", "argv0"] },
  "ld-linux.so.2": { names: ["library-path", "preload", "argv0"] },
  "ld-linux-aarch64.so.1": { names: ["library-path", "preload", "argv0"] },
};

export const wrappers: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ...Object.entries(WRAPPERS).map(([name, wrapper]): [string, Handle] => [
    name,
    (machine, words, state) => wrapped(machine, wrapper, words, state),
  ]),
  ["chroot", changedRoot],
]);

function wrapped(machine: Machine, wrapper: Wrapper, words: readonly string[], state: State): State[] {
  const [name = "", ...all] = words;
  const args = wrapper.verbs === undefined ? all : afterVerb(all, wrapper.verbs);
  if (args === undefined) return [state];
  const options = optionsOf(args, { ...wrapper, stopsAtOperand: true });
  // `command -v rm` only asks where it is.
  if (name === "command" && has(options, "vV")) return [state];
  const rest = options.operands.slice(wrapper.skip ?? 0);
  // `env -` is `env -i`; `sudo -s` without a command is a shell.
  if (name === "env" && rest[0] === "-") rest.shift();
  if (name === "sudo" && rest.length === 0 && has(options, "si", "shell", "login")) rest.push("sh");
  const folder = given(options, "--chdir", ...(name === "env" ? ["-C"] : name === "sudo" ? ["-D"] : []));
  let inner = folder === undefined ? state : { ...state, cwd: absolute(machine.scene, state, folder) };
  while (/^\w+=/.test(rest[0] ?? "")) {
    const [variable = "", ...value] = (rest.shift() ?? "").split("=");
    inner = withVariable(inner, variable, value.join("="));
  }
  const text = given(options, ...(wrapper.text ?? []), ...(name === "env" ? ["-S", "--split-string"] : []));
  // Some join their operands to one line for a shell.
  const line =
    text ?? (name === "watch" ? rest.join(" ") : rest.length === 1 && /\s/.test(rest[0] ?? "") ? rest[0] : undefined);
  const after =
    line === undefined
      ? machine.call(rest, inner, "plain")
      : machine.text(text === undefined ? line : [line, ...rest].join(" "), inner);
  return wrapper.isBuiltin === true ? after : after.map((one) => afterSubshell(state, one));
}

function afterVerb(args: readonly string[], verbs: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return verbs.includes(args[at] ?? "") ? args.slice(at + 1) : undefined;
}

function changedRoot(machine: Machine, words: readonly string[], state: State): State[] {
  const { operands } = optionsOf(words.slice(1), { names: ["userspec", "groups"], stopsAtOperand: true });
  const [root = "/", ...rest] = operands;
  const from = absolute(machine.scene, state, root);
  const inner = from === "/" ? state : { ...state, cwd: from, mounts: [{ at: "/", from }] };
  return machine.call(rest, inner, "plain").map((one) => afterSubshell(state, one));
}
