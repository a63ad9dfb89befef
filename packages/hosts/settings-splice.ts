import type { Node } from "jsonc-parser";

type Jsonc = typeof import("jsonc-parser");

/** How the file is laid out: one step of indentation, and how a line ends. */
type Layout = { step: string; eol: string };

/**
 * Text with one more child at the end of an object or list; `key` for an object's. Nothing else moves, so that `withoutChild` gives
 * the text from before: the library's own formatter lays neighbours out anew, and a comment behind the last child would change sides.
 */
export function withChild(text: string, parent: Node, value: unknown, key?: string): string {
  const { step, eol } = layoutOf(text);
  const depth = depthOf(parent) + 1;
  const lines = JSON.stringify(value, null, step).split("\n");
  const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const child = `${label}${lines.join(`${eol}${step.repeat(depth)}`)}`;
  const close = parent.offset + parent.length - 1;
  const filled = text.slice(0, close).trimEnd().length;
  const inserted = `${text.slice(0, filled)}${eol}${step.repeat(depth)}${child}${text.slice(filled)}`;
  const last = parent.children?.at(-1);
  const end = last && last.offset + last.length;
  return end === undefined ? inserted : `${inserted.slice(0, end)},${inserted.slice(end)}`;
}

/** Text with another value in a node's place. */
export function withValue(text: string, node: Node, value: unknown): string {
  const { step, eol } = layoutOf(text);
  const lines = JSON.stringify(value, null, step).split("\n");
  const child = lines.join(`${eol}${step.repeat(depthOf(node))}`);
  return `${text.slice(0, node.offset)}${child}${text.slice(node.offset + node.length)}`;
}

/** Text without one child, the blanks before it and the comma that parted it; comments stay. */
export function withoutChild(jsonc: Jsonc, text: string, parent: Node, child: Node): string {
  const children = parent.children ?? [];
  const at = children.indexOf(child);
  const [end, next, last] = [child.offset + child.length, children[at + 1], children[at - 1]];
  const begin = text.slice(0, child.offset).trimEnd().length;
  if (next) return cut(text, begin, commaFrom(jsonc, text, end) + 1);
  const rest = cut(text, begin, end);
  if (!last) return rest;
  const comma = commaFrom(jsonc, text, last.offset + last.length);
  return cut(rest, comma, comma + 1);
}

/** Where the next comma stands that is not in a comment. */
function commaFrom(jsonc: Jsonc, text: string, from: number): number {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  return scanner.getTokenOffset();
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

/** Properties are nodes of their own, and add no indentation. */
function depthOf(node: Node): number {
  let depth = 0;
  for (let at = node.parent; at; at = at.parent) if (at.type !== "property") depth++;
  return depth;
}

function layoutOf(text: string): Layout {
  return { step: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
