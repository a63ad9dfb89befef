import type { Handle, Machine } from "./machine.ts";
import { given, optionsOf } from "./options.ts";
import { fileText } from "./redirect.ts";
import { absolute } from "./scene.ts";
import { afterSubshell, printed, type State } from "./state.ts";
import { ANY, SCRAMBLED } from "./unknown.ts";

/** Programs that run shell text, and builtins that do. */
export const shells: ReadonlyMap<string, Handle> = new Map<string, Handle>([
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "rbash", "mksh"].map((name) => [name, shell] as const),
  ["eval", (machine, words, state) => runScript(machine, words.slice(1).join(" "), state)],
  ["source", sourced],
  [".", sourced],
  ["su", switchUser],
  ["runuser", switchUser],
]);

function shell(machine: Machine, words: readonly string[], state: State): State[] {
  // Options after `-c` are still options: `bash -c -l 'text'`.
  const args = words.slice(1).filter((word, index) => !(index === 0 && /^\+\w/.test(word)));
  const options = optionsOf(args, { letters: "oO", names: ["rcfile", "init-file"], stopsAtOperand: true });
  const [first, ...rest] = options.operands;
  if (options.flags.has("-c")) return inChild(machine, first ?? "", [rest[0] ?? "bash", ...rest.slice(1)], state);
  if (first === undefined || first === "-" || options.flags.has("-s")) {
    const names = first === undefined || first === "-" ? rest : [first, ...rest];
    return inChild(machine, state.stdin ?? "", ["bash", ...names], { ...state, stdin: "" });
  }
  return inChild(machine, fileText(machine, state, first), [first, ...rest], state);
}

/** Runs text in a process of its own. `names` are `$0` and what follows it. */
function inChild(machine: Machine, text: string, names: readonly string[], state: State): State[] {
  const [zero = "bash", ...args] = names;
  const after = runScript(machine, text, { ...state, zero, args });
  return after.map((one) => afterSubshell(state, one));
}

/** Text of which nothing is known passes: what a download or a project's script does is not told by the command. */
function runScript(machine: Machine, text: string, state: State): State[] {
  if (text.includes(SCRAMBLED)) machine.tell(machine.watch.hidden?.());
  if (text.replaceAll(ANY, "").trim() === "") return [text === "" ? state : printed(state, ANY)];
  return machine.text(text, state);
}

function sourced(machine: Machine, words: readonly string[], state: State): State[] {
  const path = words[1];
  return path === undefined ? [state] : runScript(machine, fileText(machine, state, path), state);
}

function switchUser(machine: Machine, words: readonly string[], state: State): State[] {
  const options = optionsOf(words.slice(1), { letters: "cgGsu", names: ["command", "group", "shell", "user"] });
  const text = given(options, "-c", "--command");
  if (text !== undefined) return inChild(machine, text, ["sh"], state);
  if (words[0] === "runuser" && options.flags.has("-u")) return machine.call(options.operands, state, "plain");
  return inChild(machine, state.stdin ?? "", ["sh"], state);
}

/** A script that this command wrote before, ready to be called by its path. */
export function scriptFile(
  machine: Machine,
  state: State,
  name: string,
): ((words: readonly string[]) => State[]) | undefined {
  const text = state.files.get(absolute(machine.scene, state, name));
  if (text === undefined) return undefined;
  const shebang = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text);
  const program = shebang?.[1]?.endsWith("/env") === true ? shebang[2] : shebang?.[1];
  if (program === undefined || /sh$/.test(program)) return (words) => inChild(machine, text, words, state);
  return (words) => machine.call([program, ...words], state, "plain");
}
