import type { Machine } from "./machine.ts";
import { afterSubshell, printed, type State, withVariable } from "./state.ts";
import { ANY, BELOW, STAR } from "./unknown.ts";

const GLOBAL_VALUES = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"]);

/** Settings whose value git gives to a shell. */
const SHELL_SETTING =
  /^(core\.(pager|editor|sshcommand|fsmonitor)|sequence\.editor|diff\.external|pager\..*|credential\.helper|.*\.(textconv|command|cmd|process|clean|smudge))$/i;

/** Variables whose value git gives to a shell. */
const SHELL_VARIABLES =
  "GIT_PAGER PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS".split(" ");

export type GitCommand = {
  verb: string;
  args: readonly string[];
  folder: string | undefined;
  settings: readonly string[];
};

/** Takes git's own options off the front. */
export function gitCommand(args: readonly string[]): GitCommand {
  const settings: string[] = [];
  let folder: string | undefined;
  let at = 0;
  for (; at < args.length && args[at]?.startsWith("-"); at++) {
    const arg = args[at] ?? "";
    if (arg === "-c") settings.push(args[at + 1] ?? "");
    if (arg === "-C" || arg === "--work-tree") folder = args[at + 1];
    if (arg.startsWith("--work-tree=")) folder = arg.slice("--work-tree=".length);
    if (GLOBAL_VALUES.has(arg)) at++;
  }
  return { verb: args[at] ?? "", args: args.slice(at + 1), folder, settings };
}

/** What git itself starts: aliases with a bang, commands of rebase and bisect, programs named in settings. */
export function gitRuns(machine: Machine, words: readonly string[], state: State): State[] {
  const { verb, args, settings } = gitCommand(words.slice(1));
  const child = (after: State[]) => after.map((one) => afterSubshell(state, one));
  for (const name of SHELL_VARIABLES) {
    const text = state.variables.get(name);
    if (typeof text === "string") machine.maybeText(text, state);
  }
  for (const setting of settings) {
    const [key = "", ...value] = setting.split("=");
    const text = value.join("=");
    if (key === `alias.${verb}`) return child(aliased(machine, text, args, state));
    if (SHELL_SETTING.test(key)) machine.maybeText(text.replace(/^!/, ""), state);
  }
  const alias = state.variables.get(`git alias.${verb}`);
  if (typeof alias === "string") return child(aliased(machine, alias, args, state));
  if (verb === "config") return [configured(args, state)];
  if (verb === "bisect" && args[0] === "run") return child(machine.call(args.slice(1), state, "plain"));
  if (verb === "submodule" && args.includes("foreach")) {
    const rest = args.slice(args.indexOf("foreach") + 1).filter((arg) => arg !== "--recursive");
    return child(machine.text(rest.join(" "), state));
  }
  for (const text of shellOptions(verb, args)) machine.text(text, state);
  return [printed(state, outputOf(machine, verb, args))];
}

function aliased(machine: Machine, text: string, args: readonly string[], state: State): State[] {
  const rest = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" ");
  return machine.text(text.startsWith("!") ? `${text.slice(1)} ${rest}` : `git ${text} ${rest}`, state);
}

function configured(args: readonly string[], state: State): State {
  const at = args.findIndex((arg) => arg.startsWith("alias."));
  const [key, value] = [args[at], args[at + 1]];
  return key === undefined || value === undefined ? state : withVariable(state, `git ${key}`, value);
}

const SHELL_OPTIONS: Readonly<Record<string, RegExp>> = {
  rebase: /^(-x|--exec)$/,
  difftool: /^(-x|--extcmd)$/,
  "filter-branch": /^--(tree|index|env|msg|commit|parent|tag-name)-filter$/,
};

function shellOptions(verb: string, args: readonly string[]): string[] {
  const option = Object.hasOwn(SHELL_OPTIONS, verb) ? SHELL_OPTIONS[verb] : undefined;
  if (option === undefined) return [];
  return args.flatMap((arg, index) => {
    const [name = "", ...value] = arg.split("=");
    if (!option.test(name)) return [];
    return [value.length > 0 ? value.join("=") : (args[index + 1] ?? "")];
  });
}

function outputOf(machine: Machine, verb: string, args: readonly string[]): string {
  if (verb === "rev-parse" && args.includes("--show-toplevel")) return `${machine.scene.project}\n`;
  if (verb === "rev-parse" && args.includes("--git-dir")) return ".git\n";
  if (verb === "rev-parse" || verb === "branch" || verb === "describe" || verb === "symbolic-ref") return `${STAR}\n`;
  if (verb === "ls-files" || args.includes("--name-only")) return `${BELOW}\n`;
  return ANY;
}
