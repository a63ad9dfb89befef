import type { ParsedScript } from "unbash";
import type { Scene } from "./scene.ts";
import type { State } from "./state.ts";

/** A program that the command would start, or a builtin that matters. */
export type Call = {
  /** Last name of the path, as it was called: `rm` for `/bin/rm`. */
  name: string;
  args: readonly string[];
  stdin: string | undefined;
  /** Absolute path of a word; see `absolute`. */
  at: (path: string, follow?: "all" | "parents") => string;
  state: State;
};

export type WriteMode = "truncate" | "append";

/** What a guard looks at. Each gives the reason to cancel, or undefined. */
export type Watch = {
  call: (call: Call) => string | undefined;
  /** A file that the shell itself opens for writing; the path is absolute. */
  write: (path: string, mode: WriteMode, state: State) => string | undefined;
  /** A function that starts copies of itself without end. */
  forkBomb?: (name: string) => string;
  /** Text made by decoding or the like is run, and what it says can't be told. */
  hidden?: () => string;
  /** A piece of another language's program; what it starts through a shell is followed by the reader itself. */
  code?: (code: Code) => string | undefined;
};

export type Code = { language: string; text: string; args: readonly string[]; at: Call["at"]; state: State };

/** What the parts of the reader ask of each other; made in read.ts, so that no file needs to know all others. */
export type Machine = {
  scene: Scene;
  watch: Watch;
  /** Throws when the command has become too long to follow. */
  step: () => void;
  /** Throws the reason to cancel, if there is one. */
  tell: (reason: string | undefined) => void;
  parse: (text: string) => ParsedScript;
  script: (script: ParsedScript, state: State) => State[];
  /** Runs text as a script of the same shell. */
  text: (text: string, state: State) => State[];
  /** The same for text that may be no shell at all: what does not parse is passed over. */
  maybeText: (text: string, state: State) => State[];
  /** Runs words that are already expanded. `plain`: functions and aliases don't count. */
  call: (words: readonly string[], state: State, how?: "plain") => State[];
  /** What a script prints, run in a shell of its own. */
  capture: (script: ParsedScript, state: State) => string;
  /** Resolves paths as the state sees them. */
  at: (state: State) => Call["at"];
};

export type Handle = (machine: Machine, words: readonly string[], state: State) => State[];
