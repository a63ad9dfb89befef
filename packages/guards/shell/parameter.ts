import type { ParameterExpansionPart, ParameterOperation } from "unbash";
import { unescaped } from "./escapes.ts";
import type { Machine } from "./machine.ts";
import { type State, type Value, withVariable } from "./state.ts";
import { ANY, globbed, isKnown, matches, STAR } from "./unknown.ts";
import { special, variable } from "./variable.ts";

/** Text of a word as the operand of an expansion is read; given by words.ts, which reads the word around it. */
export type ReadWord = (word: { text: string }, state: State) => string;

type Expanded = { value: Value; state: State };

/** `${…}` in all its forms. Lists come back as lists. */
export function parameter(machine: Machine, part: ParameterExpansionPart, state: State, read: ReadWord): Expanded {
  const { operation, prefix } = part;
  const index = part.index === undefined ? undefined : read(part.index, state);
  let value = lookUp(machine, state, part.parameter, index);
  if (prefix === "#") return { value: value === undefined ? STAR : lengthOf(value), state };
  if (prefix === "!") {
    if (index === "@" || index === "*" || operation?.type === "Names") return { value: [ANY], state };
    value = typeof value === "string" && isKnown(value) ? lookUp(machine, state, value, undefined) : ANY;
  }
  if (operation === undefined) return { value: value ?? ANY, state };
  return operate({ machine, operation, state, read, name: part.parameter }, value);
}

function lookUp(machine: Machine, state: State, name: string, index: string | undefined): Value | undefined {
  const value = special(state, name) ?? variable(machine.scene, state, name);
  if (value === undefined || typeof value === "string") return value;
  if (name === "@" || name === "*" || index === "@" || index === "*") return value;
  const at = index === undefined ? 0 : Number.parseInt(index, 10);
  return Number.isNaN(at) ? ANY : (value.at(at) ?? "");
}

function lengthOf(value: Value): string {
  if (typeof value !== "string") return `${value.length}`;
  return isKnown(value) ? `${value.length}` : STAR;
}

type Operating = { machine: Machine; operation: ParameterOperation; state: State; read: ReadWord; name: string };

function operate({ machine, operation, state, read, name }: Operating, value: Value | undefined): Expanded {
  const each = (change: (text: string) => string): Expanded => ({
    value: value === undefined ? ANY : typeof value === "string" ? change(value) : value.map(change),
    state,
  });
  switch (operation.type) {
    case "Default":
      return withDefault(
        { operator: operation.operator, operand: () => read(operation.operand, state), name },
        value,
        state,
      );
    case "Remove":
      return each((text) => removed(text, operation.operator, globbed(read(operation.operand, state))));
    case "Replace":
      return each((text) =>
        replaced(text, operation.operator, [read(operation.pattern, state), read(operation.replacement, state)]),
      );
    case "Slice": {
      const length = operation.length === undefined ? undefined : read(operation.length, state);
      return {
        value: sliced(
          name === "@" ? [state.zero, ...state.args] : (value ?? ANY),
          read(operation.offset, state),
          length,
        ),
        state,
      };
    }
    case "CaseModification":
      return each((text) => cased(text, operation.operator));
    case "Transform": {
      const how = read(operation.operand, state);
      if (how === "E") return each(unescaped);
      if (how === "P") return each((text) => promptText(machine, text, state));
      return each((text) => text);
    }
    default:
      return { value: [ANY], state };
  }
}

type Default = { operator: string; operand: () => string; name: string };

function withDefault({ operator, operand, name }: Default, value: Value | undefined, state: State): Expanded {
  const isUnset = value === undefined || value === ANY || (operator.startsWith(":") && value.length === 0);
  if (operator.endsWith("+")) return { value: isUnset && value !== ANY && value !== undefined ? "" : operand(), state };
  if (!isUnset) return { value, state };
  if (operator.endsWith("?")) return { value: ANY, state };
  const text = operand();
  return { value: text, state: operator.endsWith("=") ? withVariable(state, name, text) : state };
}

/** Longer texts are not tried piece by piece. */
const MAX_REMOVE_CHARS = 512;

function removed(text: string, operator: string, pattern: string): string {
  if (text.length > MAX_REMOVE_CHARS) return ANY;
  const isFront = operator.startsWith("#");
  const lengths = Array.from({ length: text.length + 1 }, (_, n) => n);
  if (operator.length === 2) lengths.reverse();
  for (const n of lengths) {
    const piece = isFront ? text.slice(0, n) : text.slice(text.length - n);
    if (matches(pattern, piece)) return isFront ? text.slice(n) : text.slice(0, text.length - n);
  }
  return text;
}

function replaced(text: string, operator: string, [pattern, by]: readonly [string, string]): string {
  if (!isKnown(globbed(pattern)) || !isKnown(text)) return text === "" ? "" : ANY;
  if (operator === "//") return text.replaceAll(pattern, () => by);
  if (operator === "/#") return text.startsWith(pattern) ? by + text.slice(pattern.length) : text;
  if (operator === "/%") return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) + by : text;
  return text.replace(pattern, () => by);
}

function sliced(value: Value, offset: string, length: string | undefined): Value {
  const [from, count] = [wholeNumber(offset), length === undefined ? undefined : wholeNumber(length)];
  if (from === undefined || (length !== undefined && count === undefined)) return ANY;
  if (typeof value === "string" && !isKnown(value)) return ANY;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (count === undefined) return value.slice(start);
  return value.slice(start, count < 0 ? value.length + count : start + count);
}

function wholeNumber(text: string): number | undefined {
  return /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

function cased(text: string, operator: string): string {
  const change = (part: string) => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}

/** `@P` expands the text once more, as a prompt. */
function promptText(machine: Machine, text: string, state: State): string {
  machine.capture(machine.parse(`cat <<__PROMPT__\n${text}\n__PROMPT__\n`), state);
  return ANY;
}
