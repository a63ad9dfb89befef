import { plainText } from "../terminal.ts";

const WIDTH = 100;

/** Text for people: safe to print, at most 100 columns, what goes on is indented under its beginning. */
export function pageLines(text: string, indent = ""): string[] {
  const room = WIDTH - indent.length;
  const lines: string[] = [];
  for (let rest = [...plainText(text).replace(/\s+/g, " ").trim()]; rest.length > 0; ) {
    const length = rest.length <= room ? rest.length : breakAt(rest, room);
    lines.push(indent + (lines.length === 0 ? "" : "  ") + rest.slice(0, length).join("").trimEnd());
    rest = rest.slice(length);
    while (rest[0] === " ") rest.shift();
  }
  return lines;
}

/** Text and the command that follows from it: on the same line where both fit, else on one of its own, never broken. */
export function adviceLines(text: string, command: string, indent = ""): string[] {
  const line = `${indent}${plainText(text).trim()}: ${command}`;
  return line.length <= WIDTH && !text.includes("\n")
    ? [line]
    : [...pageLines(`${text}:`, indent), `${indent}    ${command}`];
}

/** The last blank that fits; a word longer than the line is cut. Two columns are kept for the indent of what goes on. */
function breakAt(signs: readonly string[], room: number): number {
  const at = signs.lastIndexOf(" ", room - 2);
  const end = signs.indexOf(" ", at + 1);
  const isLong = (end < 0 ? signs.length : end) - at > room - 2; // the word would be cut on the next line, too
  return at > room / 2 || (at > 0 && !isLong) ? at : room - 2;
}

/** `1 handler`, `2 handlers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
