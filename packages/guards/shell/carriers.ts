import type { Handle, Machine } from "./machine.ts";
import { given, optionsOf } from "./options.ts";
import { fileText } from "./redirect.ts";
import { absolute } from "./scene.ts";
import { afterSubshell, type Mount, type State } from "./state.ts";
import { ANY, withoutEnd } from "./unknown.ts";

/** Programs that carry a command elsewhere: to another machine, a container, a terminal, a later time. */
export const carriers: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ["ssh", remote],
  ["docker", container],
  ["podman", container],
  ["nerdctl", container],
  ["kubectl", inPod],
  ["oc", inPod],
  ["tmux", terminal],
  ["screen", terminal],
  ["script", typescript],
  ["at", later],
  ["batch", later],
  ["make", make],
  ["gmake", make],
  ["ansible", everywhere],
  ["sqlite3", sqlite],
  ["sed", sed],
  ["vim", editor],
  ["vi", editor],
  ["nvim", editor],
  ["ex", editor],
]);

function child(state: State, after: State[]): State[] {
  return after.map((one) => afterSubshell(state, one));
}

function elsewhere(machine: Machine, state: State): State {
  return { ...state, isRemote: true, cwd: machine.scene.home, files: new Map(), links: new Map() };
}

function remote(machine: Machine, words: readonly string[], state: State): State[] {
  const { operands } = optionsOf(words.slice(1), { letters: "BbcDEeFIiJLlmOopQRSWw", stopsAtOperand: true });
  const text = operands.length > 1 ? operands.slice(1).join(" ") : (state.stdin ?? "");
  if (text.replaceAll(ANY, "").trim() === "") return [state];
  return child(state, machine.text(text, elsewhere(machine, state)));
}

const RUN_LETTERS = "cehlmpuvwPla";
const RUN_NAMES =
  "add-host attach cap-add cap-drop cpus device dns entrypoint env env-file expose gpus hostname ip label link memory mount name network pid platform publish pull restart runtime security-opt shm-size stop-signal tmpfs ulimit user volume volumes-from workdir".split(
    " ",
  );

function container(machine: Machine, words: readonly string[], state: State): State[] {
  const args = words.slice(1);
  const at = args.findIndex((arg) => ["run", "exec", "create"].includes(arg));
  if (at < 0) return [state];
  const options = optionsOf(args.slice(at + 1), { letters: RUN_LETTERS, names: RUN_NAMES, stopsAtOperand: true });
  const volumes = ["-v", "--volume", "--mount"].flatMap((name) => options.values.get(name) ?? []);
  const mounts = volumes.flatMap((volume) => mountOf(machine, volume, state));
  const entry = given(options, "--entrypoint");
  const command = options.operands.slice(1);
  const folder = given(options, "-w", "--workdir") ?? "/";
  const empty = { ...state, mounts, cwd: "/tmp/.container" };
  const inner = { ...empty, cwd: absolute(machine.scene, empty, folder.startsWith("/") ? folder : "/") };
  return child(state, machine.call(entry === undefined ? command : [entry, ...command], inner, "plain"));
}

function mountOf(machine: Machine, volume: string, state: State): Mount[] {
  const fields = new Map(
    volume
      .split(",")
      .map((field): [string, string] => [field.split("=")[0] ?? "", field.split("=").slice(1).join("=")]),
  );
  const source = fields.get("source") ?? fields.get("src");
  const target = fields.get("target") ?? fields.get("dst") ?? fields.get("destination");
  const [from = "", at = ""] = source === undefined ? volume.split(":") : [source, target];
  // A name without a slash is a volume of the container program's own.
  if (!/^[/.~]/.test(from) || at === "") return [];
  return [
    { at: at === "/" ? "/" : withoutEnd(at, "/"), from: absolute(machine.scene, state, from).replace(/^\/$/, "") },
  ];
}

function inPod(machine: Machine, words: readonly string[], state: State): State[] {
  const at = words.indexOf("--");
  if (at < 0 || !words.slice(0, at).includes("exec")) return [state];
  return child(state, machine.call(words.slice(at + 1), { ...state, mounts: [], cwd: "/tmp/.container" }, "plain"));
}

function terminal(machine: Machine, words: readonly string[], state: State): State[] {
  const [name, ...args] = words;
  if (name === "screen") {
    const { operands } = optionsOf(args, { letters: "SceprtTX", stopsAtOperand: true });
    const stuffed = operands[0] === "stuff" ? operands.slice(1).join(" ") : undefined;
    return child(
      state,
      stuffed === undefined ? machine.call(operands, state, "plain") : machine.maybeText(stuffed, state),
    );
  }
  const verb = args.findIndex((arg) =>
    /^(new|new-session|new-window|neww|split-window|splitw|respawn-\w+|run|run-shell|send-keys|send|popup|display-popup|if-shell)$/.test(
      arg,
    ),
  );
  const { operands } = optionsOf(args.slice(verb + 1), { letters: "stncxyFeE" });
  const keys = operands.filter((key) => !/^(Enter|C-[a-z]|Space|Tab)$/.test(key));
  return child(state, verb < 0 ? [state] : machine.maybeText(keys.join(" "), state));
}

function typescript(machine: Machine, words: readonly string[], state: State): State[] {
  const text = given(optionsOf(words.slice(1), { letters: "cEIoOBTt", names: ["command"] }), "-c", "--command");
  return child(state, text === undefined ? [state] : machine.text(text, state));
}

function later(machine: Machine, _words: readonly string[], state: State): State[] {
  return child(
    state,
    state.stdin === undefined || state.stdin === ANY ? [state] : machine.maybeText(state.stdin, state),
  );
}

/** Only a makefile that is in the command itself is read. */
function make(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "fCjIloW", names: ["file", "makefile", "directory", "eval"] });
  const file = given(options, "-f", "--file", "--makefile");
  const text = `${file === "-" ? (state.stdin ?? "") : file === undefined ? "" : fileText(machine, state, file)}\n${given(options, "--eval") ?? ""}`;
  const recipes = text
    .split("\n")
    .map(shortened)
    .flatMap((line) => /^\t[@+-]*(.+)/.exec(line)?.[1] ?? /^[^#\t=]+:[^=;]*;(.+)/.exec(line)?.[1] ?? []);
  const shelled = [...text.matchAll(/\$\(shell ([^)]{0,1000})\)/g)].map(([, inner = ""]) => inner);
  return child(state, [
    state,
    ...[...recipes, ...shelled].flatMap((line) => machine.maybeText(line.replaceAll("$$", "$"), state)),
  ]);
}

function everywhere(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "amiuletMfB", names: ["args", "module-name", "inventory"] });
  const how = given(options, "-m", "--module-name") ?? "command";
  const text = given(options, "-a", "--args");
  if (text === undefined || options.flags.has("-C") || options.flags.has("--check")) return [state];
  const target = /(?:path|dest|name)=(\S+)/.exec(text)?.[1];
  const isRemoving = /(^|\.)file$/.test(how) && /state=absent/.test(text) && target !== undefined;
  if (!isRemoving && !/(^|\.)(command|shell|raw)$/.test(how)) return [state];
  return child(state, machine.maybeText(isRemoving ? `rm -rf ${target}` : text, elsewhere(machine, state)));
}

function sqlite(machine: Machine, words: readonly string[], state: State): State[] {
  const text = [...words.slice(1), state.stdin ?? ""].join("\n");
  for (const [, line = ""] of text.matchAll(/^[ \t]*\.(?:shell|system)[ \t]+(.*)$/gm)) machine.maybeText(line, state);
  return [state];
}

/** Longer lines are looked at in their beginning only. */
const MAX_LINE_CHARS = 2000;

function shortened(line: string): string {
  return line.slice(0, MAX_LINE_CHARS);
}

/** `e command` and `s/…/…/e` run what they are given. */
function sed(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "efl", names: ["expression", "file"] });
  const programs = [...(options.values.get("-e") ?? []), ...(options.values.get("--expression") ?? [])];
  for (const program of programs.length > 0 ? programs : options.operands.slice(0, 1)) {
    for (const line of program.split("\n").map(shortened)) {
      const command = /^\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?\s*e\s+(.+)$/.exec(line)?.[1];
      const made = /^s([^\\\n])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1\w*e/.exec(line)?.[2];
      for (const text of [command, made]) if (text !== undefined) machine.maybeText(text, state);
    }
  }
  return [
    {
      ...state,
      out: state.isCapturing
        ? state.out + (state.stdin === undefined ? ANY : state.stdin === "" ? "" : sedOut(state.stdin))
        : state.out,
    },
  ];
}

function sedOut(input: string): string {
  return input.includes(ANY) ? input : "\uE004";
}

/** `:!command` from `-c` or `+`. */
function editor(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "cSuUiTw", names: ["cmd"] });
  const commands = [
    ...(options.values.get("-c") ?? []),
    ...(options.values.get("--cmd") ?? []),
    ...words.filter((word) => word.startsWith("+")).map((word) => word.slice(1)),
  ];
  for (const text of commands) {
    const command = /^\s*(?:[%\d,.$]*|silent\s*)!(.+)$/.exec(text)?.[1] ?? /system\(\s*['"]([^'"]*)/.exec(text)?.[1];
    if (command !== undefined) machine.maybeText(command, state);
  }
  return [state];
}
