import type { Function as FunctionNode } from "unbash";
import { ANY } from "./unknown.ts";

/** What a variable holds: text, or the items of an array. */
export type Value = string | readonly string[];
type Table<T> = ReadonlyMap<string, T>;

/** The shell at one point of the command. Never changed in place: equal references are equal states. */
export type State = {
  cwd: string;
  oldCwd: string | undefined;
  variables: Table<Value>;
  /** `$1` and on; `zero` is `$0`. */
  args: readonly string[];
  zero: string;
  functions: Table<FunctionNode["body"]>;
  aliases: Table<string>;
  /** Names and paths that were made to stand for another program by `hash -p`, `ln` or `cp`. */
  programs: Table<string>;
  /** Files whose text this very command wrote. */
  files: Table<string>;
  /** Links that this very command made. */
  links: Table<string>;
  traps: readonly string[];
  /** undefined: nothing is known to come. */
  stdin: string | undefined;
  /** Output is kept only where somebody reads it. */
  isCapturing: boolean;
  out: string;
  /** On another machine there is no project of ours. */
  isRemote: boolean;
  /** In a container only what is mounted is of this machine. */
  mounts: readonly Mount[] | undefined;
  /** Functions that are running, and whether this part runs beside its caller (pipe, background). */
  calls: readonly string[];
  isForked: boolean;
  /** Scripts within scripts. */
  depth: number;
};

export type Mount = { at: string; from: string };

export function startState(cwd: string): State {
  const none = new Map<string, never>();
  return {
    cwd,
    oldCwd: undefined,
    variables: none,
    args: [],
    zero: "bash",
    functions: none,
    aliases: none,
    programs: none,
    files: none,
    links: none,
    traps: [],
    stdin: undefined,
    isCapturing: false,
    out: "",
    isRemote: false,
    mounts: undefined,
    calls: [],
    isForked: false,
    depth: 0,
  };
}

export function withEntry<T>(table: Table<T>, name: string, value: T): Table<T> {
  return table.get(name) === value ? table : new Map(table).set(name, value);
}

export function withVariable(state: State, name: string, value: Value): State {
  const variables = withEntry(state.variables, name, bounded(value));
  return variables === state.variables ? state : { ...state, variables };
}

export function printed(state: State, text: string): State {
  return state.isCapturing && text !== "" ? { ...state, out: `${bounded(state.out + text)}` } : state;
}

/** Longer texts are not known any more: a loop can double them at every round. */
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_LIST_ITEMS = 1024;

export function bounded<T extends Value>(value: T): T | string {
  if (typeof value === "string") return value.length > MAX_TEXT_CHARS ? ANY : value;
  return value.length > MAX_LIST_ITEMS || value.some((item) => item.length > MAX_TEXT_CHARS) ? ANY : value;
}

/** What a part that ran in a shell of its own leaves behind: files, links and output, no variables. */
export function afterSubshell(before: State, after: State): State {
  const { files, links, programs, out, traps } = after;
  const isSame = files === before.files && links === before.links && programs === before.programs && out === before.out;
  return isSame && traps === before.traps ? before : { ...before, files, links, programs, out, traps };
}
