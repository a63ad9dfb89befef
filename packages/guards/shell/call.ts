import { builtins } from "./builtins.ts";
import { carriers } from "./carriers.ts";
import { interpreters } from "./code.ts";
import { fanOut } from "./fan-out.ts";
import { gitRuns } from "./git.ts";
import type { Handle, Machine } from "./machine.ts";
import { outputOf } from "./output.ts";
import { absolute } from "./scene.ts";
import { scriptFile, shells } from "./shells.ts";
import { printed, type State } from "./state.ts";
import { ANY, isKnown, SCRAMBLED } from "./unknown.ts";
import { walk } from "./walk.ts";
import { wrappers } from "./wrappers.ts";

const handles: ReadonlyMap<string, Handle> = new Map([
  ...builtins,
  ...wrappers,
  ...shells,
  ...fanOut,
  ...carriers,
  ...interpreters,
  ["git", gitRuns],
]);

const MAX_CALLS = 12;
/** A call with more words is not judged word by word, but cancelled. */
const MAX_WORDS = 4096;

/** Calls words that are expanded: a function, an alias, a script written before, a builtin or a program. */
export function call(machine: Machine, words: readonly string[], state: State, how?: "plain"): State[] {
  if (words.length > MAX_WORDS) machine.tell("a call has too many words to be judged");
  const [name = "", ...args] = words;
  if (name === "") return words.length > 1 ? call(machine, args, state, how) : [state];
  if (name.includes(SCRAMBLED)) machine.tell(machine.watch.hidden?.());
  if (how !== "plain") {
    const body = state.functions.get(name);
    if (body !== undefined) return callFunction(machine, { name, body, args }, state);
    const alias = state.aliases.get(name);
    if (alias !== undefined && !state.calls.includes(name)) {
      const inner = { ...state, calls: [...state.calls, name] };
      return machine.text([alias, ...args.map(quoted)].join(" "), inner).map((one) => ({ ...one, calls: state.calls }));
    }
  }
  const path = name.includes("/") ? absolute(machine.scene, state, name, "parents") : name;
  const program = state.programs.get(path) ?? state.programs.get(name) ?? state.links.get(path);
  if (program !== undefined && program !== name) return machine.call([program, ...args], state, "plain");
  const script = name.includes("/") ? scriptFile(machine, state, name) : undefined;
  if (script !== undefined) return script([name, ...args]);
  const called = name.split("/").pop() ?? name;
  const linked = path.includes("/") ? absolute(machine.scene, state, name).split("/").pop() : called;
  // A link that was there before may be a program under another name.
  if (linked !== undefined && linked !== called) tellOf(machine, [linked, ...args], state);
  return callProgram(machine, [called, ...args], state);
}

function tellOf(machine: Machine, [name = "", ...args]: readonly string[], state: State): void {
  machine.tell(machine.watch.call({ name, args, stdin: state.stdin, at: machine.at(state), state }));
}

function callProgram(machine: Machine, words: readonly string[], state: State): State[] {
  const [name = ""] = words;
  tellOf(machine, words, state);
  const handle = handles.get(versionless(name));
  if (handle !== undefined) return handle(machine, words, state);
  return [printed(state, outputOf(machine, words, state))];
}

/** `python3.12` is python, `bash` is bash. */
function versionless(name: string): string {
  return isKnown(name) ? name.replace(/^(python|pypy|perl|ruby|lua|node|php)[\d.]+$/, "$1") : ANY;
}

type FunctionCall = { name: string; body: Parameters<typeof walk>[1]; args: readonly string[] };

function callFunction(machine: Machine, { name, body, args }: FunctionCall, state: State): State[] {
  if (state.calls.includes(name)) {
    if (state.isForked) machine.tell(machine.watch.forkBomb?.(name));
    return [state];
  }
  if (state.calls.length >= MAX_CALLS) return [state];
  const inner = { ...state, args, calls: [...state.calls, name], isForked: false };
  const { args: outerArgs, calls, isForked } = state;
  return walk(machine, body, inner).map((one) => ({ ...one, args: outerArgs, calls, isForked }));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
