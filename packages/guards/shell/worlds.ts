import type { State, Value } from "./state.ts";
import { ANY } from "./unknown.ts";

/** More ways than this through a command are joined into one where what differs is unknown. */
const MAX_STATES = 24;

export function joinStates(states: State[]): State[] {
  if (states.length < 2) return states;
  const kept: State[] = [];
  for (const state of new Set(states)) if (!kept.some((other) => areSame(other, state))) kept.push(state);
  const [first] = kept;
  return kept.length <= MAX_STATES || first === undefined ? kept : [kept.reduce(blur, first)];
}

function areSame(a: State, b: State): boolean {
  if (a.cwd !== b.cwd || a.out !== b.out || a.stdin !== b.stdin || a.args !== b.args || a.traps !== b.traps)
    return false;
  if (a.functions !== b.functions || a.files !== b.files || a.links !== b.links || a.programs !== b.programs)
    return false;
  if (a.aliases !== b.aliases || a.variables.size !== b.variables.size) return false;
  return a.variables === b.variables || [...a.variables].every(([name, value]) => isSame(b.variables.get(name), value));
}

function isSame(a: Value | undefined, b: Value): boolean {
  if (a === b || typeof a === "string" || typeof b === "string" || a === undefined) return a === b;
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

function blur(a: State, b: State): State {
  const variables = new Map(a.variables);
  for (const [name, value] of b.variables) if (!isSame(variables.get(name), value)) variables.set(name, ANY);
  for (const name of a.variables.keys()) if (!b.variables.has(name)) variables.set(name, ANY);
  return {
    ...a,
    variables,
    cwd: a.cwd === b.cwd ? a.cwd : ANY,
    out: a.out === b.out ? a.out : ANY,
    stdin: a.stdin === b.stdin ? a.stdin : ANY,
    traps: [...new Set([...a.traps, ...b.traps])],
    files: new Map([...b.files, ...a.files]),
    links: new Map([...b.links, ...a.links]),
    programs: new Map([...b.programs, ...a.programs]),
    functions: new Map([...b.functions, ...a.functions]),
    aliases: new Map([...b.aliases, ...a.aliases]),
  };
}
