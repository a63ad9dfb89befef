import type { HereDoc, Redirect, Redirection } from "unbash";
import type { Machine, WriteMode } from "./machine.ts";
import { absolute } from "./scene.ts";
import { type State, withEntry } from "./state.ts";
import { ANY, isKnown } from "./unknown.ts";
import { textOf, textOfParts } from "./words.ts";

/** Longer texts are not kept as a file's content. */
const MAX_FILE_CHARS = 256 * 1024;

/** Where a command's output goes: to its caller, nowhere, or into a file. */
type Sink = "caller" | "nowhere" | { path: string; mode: WriteMode };

/** Runs a command with its redirections, each told to the guard, with what they put on its stdin. */
export function redirected(
  machine: Machine,
  redirects: readonly Redirection[],
  state: State,
  run: (state: State) => State[],
): State[] {
  if (redirects.length === 0) return run(state);
  let inner = state;
  let sink: Sink = "caller";
  for (const redirect of redirects) {
    if (redirect.type === "HereString") {
      const read = redirect.target === undefined ? { text: "", state: inner } : textOf(machine, redirect.target, inner);
      inner = { ...read.state, stdin: `${read.text}\n` };
    } else if (redirect.type === "HereDoc") inner = hereDoc(machine, redirect, inner);
    else {
      const opened = open(machine, redirect, inner);
      inner = opened.state;
      if (opened.sink !== undefined) sink = opened.sink;
    }
  }
  const isCaller = sink === "caller";
  const after = run(isCaller ? inner : { ...inner, isCapturing: true, out: "" });
  const isFed = inner.stdin !== state.stdin;
  return after.map((one) => {
    const fed = isFed ? { ...one, stdin: state.stdin } : one;
    return isCaller ? fed : { ...stored(fed, sink), isCapturing: state.isCapturing, out: state.out };
  });
}

function hereDoc(machine: Machine, { body, operator }: HereDoc, state: State): State {
  const read = body.parts === undefined ? { text: body.text, state } : textOfParts(machine, body.parts, state);
  return { ...read.state, stdin: operator === "<<-" ? read.text.replace(/^\t+/gm, "") : read.text };
}

type Opened = { state: State; sink?: Sink };

function open(machine: Machine, { operator, descriptor, target }: Redirect, state: State): Opened {
  machine.step();
  if (target === undefined) return { state };
  const read = textOf(machine, target, state);
  const number = descriptor?.type === "FileDescriptor" ? descriptor.value : undefined;
  if ((operator === ">&" || operator === "<&") && /^(\d+-?|-)$/.test(read.text)) {
    const isAside = operator === ">&" && (number ?? 1) === 1 && read.text === "2";
    return isAside ? { state: read.state, sink: "nowhere" } : { state: read.state };
  }
  if (operator === "<" || operator === "<&") {
    return {
      state:
        number === undefined || number === 0
          ? { ...read.state, stdin: fileText(machine, read.state, read.text) }
          : read.state,
    };
  }
  const path = absolute(machine.scene, read.state, read.text);
  const mode = operator === ">>" || operator === "&>>" || operator === "<>" ? "append" : "truncate";
  machine.tell(machine.watch.write(path, mode, read.state));
  const isOutput = (number ?? 1) === 1 && descriptor?.type !== "FileDescriptorVariable";
  if (!isOutput) return { state: read.state };
  return { state: read.state, sink: path === "/dev/null" ? "nowhere" : { path, mode } };
}

/** What a file holds, if this command wrote it; ANY otherwise. */
export function fileText(machine: Machine, state: State, path: string): string {
  if (path === "/dev/null") return "";
  return state.files.get(path) ?? state.files.get(absolute(machine.scene, state, path)) ?? ANY;
}

function stored(state: State, sink: Sink): State {
  if (typeof sink === "string") return state;
  const before = sink.mode === "append" ? (state.files.get(sink.path) ?? "") : "";
  const text = before + state.out;
  if (text.length > MAX_FILE_CHARS || !isKnown(sink.path)) return state;
  return { ...state, files: withEntry(state.files, sink.path, text) };
}
