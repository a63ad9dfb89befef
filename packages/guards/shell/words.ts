import type { ArithmeticExpression, Word, WordPart } from "unbash";
import { forEachChild } from "unbash";
import { braceWords } from "./braces.ts";
import type { Machine } from "./machine.ts";
import { parameter, type ReadWord } from "./parameter.ts";
import { type State, type Value, withEntry } from "./state.ts";
import { ANY, globbed, ONE, STAR, withoutEnd } from "./unknown.ts";
import { special, tilde, variable } from "./variable.ts";

export type Fields = { fields: string[]; state: State };
export type Text = { text: string; state: State };

/** Expands words into the fields that a command gets. */
export function fieldsOf(machine: Machine, words: readonly Word[], state: State): Fields {
  const fields: string[] = [];
  let now = state;
  for (const word of words) {
    for (const one of braced(machine, word)) {
      const read = pieces(machine, one, now);
      now = read.state;
      fields.push(...split(read.pieces, separators(machine, now)));
    }
  }
  return { fields, state: now };
}

/** Expands one word without splitting: an assignment's value, a redirection's target, an operand. */
export function textOf(machine: Machine, word: Word, state: State): Text {
  const read = pieces(machine, word, state, "whole");
  return { text: glued(read.pieces), state: read.state };
}

/** The text that parts of a here-document or a quotation stand for. */
export function textOfParts(machine: Machine, parts: readonly WordPart[], state: State): Text {
  const read = readParts(machine, parts, { state, isQuoted: true, isWhole: true });
  return { text: glued(read.pieces), state: read.state };
}

/** Runs what stands in an arithmetic expression, and gives its value where it is a plain number. */
export function arithmetic(machine: Machine, expression: ArithmeticExpression | undefined, state: State): string {
  if (expression === undefined) return STAR;
  if (expression.type === "ArithmeticCommandExpansion") {
    if (expression.script !== undefined) machine.capture(expression.script, state);
    return STAR;
  }
  if (expression.type === "ArithmeticWord" && expression.parts === undefined) {
    if (/^\d+$/.test(expression.value)) return expression.value;
  }
  forEachChild(expression, (child) => {
    if (child.type.startsWith("Arithmetic"))
      arithmetic(machine, child as ArithmeticExpression, state); // by its type's name
    else if (child.type === "CommandExpansion" && child.script !== undefined) machine.capture(child.script, state);
    else if (child.type === "ParameterExpansion" || child.type === "DoubleQuoted")
      readParts(machine, [child], { state, isQuoted: true, isWhole: true });
  });
  return STAR;
}

/** `isSplit`: an unquoted expansion, whose blanks separate fields. */
type Piece = { value: Value; isQuoted: boolean; isSplit: boolean };
type Reading = { state: State; isQuoted: boolean; isWhole: boolean };
type Pieces = { pieces: Piece[]; state: State };

function braced(machine: Machine, word: Word): Word[] {
  if (!word.parts?.some((part) => part.type === "BraceExpansion")) return [word];
  return braceWords(word.text).map((text) => {
    const command = machine.parse(`: ${text}`).commands[0]?.command;
    const found = command?.type === "Command" ? command.suffix[0] : undefined;
    return found?.type === "Word" ? found : word;
  });
}

function pieces(machine: Machine, word: Word, state: State, how?: "whole"): Pieces {
  const prefix = /^~[^/\s"'\\$`]*/.exec(word.text)?.[0];
  const home = prefix === undefined ? undefined : tilde(machine.scene, state, prefix);
  if (word.parts === undefined) {
    const text = home === undefined || prefix === undefined ? word.value : home + word.value.slice(prefix.length);
    return { pieces: [{ value: text, isQuoted: false, isSplit: false }], state };
  }
  const read = readParts(machine, word.parts, { state, isQuoted: false, isWhole: how === "whole" });
  const first = read.pieces[0];
  if (home !== undefined && prefix !== undefined && typeof first?.value === "string") {
    read.pieces[0] = { ...first, value: home + first.value.slice(prefix.length) };
  }
  return read;
}

function readParts(machine: Machine, parts: readonly WordPart[], reading: Reading): Pieces {
  let state = reading.state;
  const found: Piece[] = [];
  const add = (value: Value, isSplit = false) =>
    found.push({ value, isQuoted: reading.isQuoted, isSplit: isSplit && !reading.isQuoted });
  for (const part of parts) {
    switch (part.type) {
      case "Literal":
        add(part.value);
        break;
      case "Glob":
        add(reading.isWhole ? part.text : part.kind === "star" ? STAR : ONE);
        break;
      case "ExtendedGlob":
        add(reading.isWhole ? part.text : STAR);
        break;
      case "BraceExpansion":
        add(part.text);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        found.push({ value: part.value, isQuoted: true, isSplit: false });
        break;
      case "DoubleQuoted":
      case "LocaleString": {
        const inner = readParts(machine, part.parts, { state, isQuoted: true, isWhole: reading.isWhole });
        state = inner.state;
        found.push({ value: "", isQuoted: !hasListOnly(inner.pieces), isSplit: false }, ...inner.pieces);
        break;
      }
      case "SimpleExpansion": {
        const name = part.text.replace(/\\\n/g, "").slice(1);
        add(special(state, name) ?? variable(machine.scene, state, name) ?? ANY, true);
        break;
      }
      case "ParameterExpansion": {
        const read: ReadWord = (word, at) => textOf(machine, word as Word, at).text; // operands are words
        const expanded = parameter(machine, part, state, read);
        state = expanded.state;
        add(expanded.value, true);
        break;
      }
      case "CommandExpansion":
        add(part.script === undefined ? ANY : withoutEnd(machine.capture(part.script, state), "\n"), true);
        break;
      case "ArithmeticExpansion":
        add(arithmetic(machine, part.expression, state), true);
        break;
      case "ProcessSubstitution": {
        const path = `/dev/fd/${60 + state.files.size}`;
        if (part.script !== undefined) {
          const out = machine.capture(part.script, part.operator === "<" ? { ...state, stdin: undefined } : state);
          if (part.operator === "<") state = { ...state, files: withEntry(state.files, path, out) };
        }
        add(path);
        break;
      }
    }
  }
  return { pieces: found, state };
}

/** More text than this in one word is not known any more. */
const MAX_WORD_CHARS = 256 * 1024;

function glued(found: readonly Piece[]): string {
  let text = "";
  for (const { value } of found) {
    text += joined(value);
    if (text.length > MAX_WORD_CHARS) return ANY;
  }
  return text;
}

/** `"$@"` of nothing gives no field at all, `""` gives an empty one. */
function hasListOnly(inner: readonly Piece[]): boolean {
  return inner.length === 1 && typeof inner[0]?.value !== "string";
}

function split(found: readonly Piece[], blanks: string): string[] {
  const fields: string[] = [];
  let field: string | undefined;
  const close = () => {
    if (field !== undefined) fields.push(field);
    field = undefined;
  };
  let room = MAX_WORD_CHARS;
  const append = (text: string, isSplit: boolean) => {
    room -= text.length;
    if (room < 0) {
      field = ANY;
      return;
    }
    if (!isSplit) {
      field = (field ?? "") + text;
      return;
    }
    for (const sign of globbed(text)) {
      if (blanks.includes(sign)) close();
      else field = (field ?? "") + sign;
    }
  };
  for (const { value, isSplit, isQuoted } of found) {
    if (typeof value === "string") {
      if (value !== "" || isQuoted) append(value, isSplit);
      continue;
    }
    for (const [index, item] of value.entries()) {
      if (index > 0) close();
      append(item, isSplit);
    }
  }
  close();
  return fields;
}

function separators(machine: Machine, state: State): string {
  return joined(variable(machine.scene, state, "IFS") ?? " \t\n");
}

export function joined(value: Value): string {
  return typeof value === "string" ? value : value.join(" ");
}
