import { ANY } from "./unknown.ts";

/** One string of a program's text. `raw`: quotes that take no escapes; backticks run a shell in Perl, Ruby and PHP. */
export type Literal = { text: string; quote: string; start: number; end: number };

/** The string literals of a program in one of the scripting languages, found by their quotes in one pass. */
export function literalsOf(code: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  while (at < code.length) {
    const quote = code[at] ?? "";
    if (quote === "\\") at += 2;
    else if (quote === '"' || quote === "'" || quote === "`") {
      const literal = literalAt(
        code,
        at,
        code.startsWith(quote.repeat(3), at) && quote !== "`" ? quote.repeat(3) : quote,
      );
      if (literal === undefined) at++;
      else {
        found.push(literal);
        at = literal.end;
      }
    } else at++;
  }
  return found;
}

function literalAt(code: string, start: number, quote: string): Literal | undefined {
  for (let at = start + quote.length; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code.startsWith(quote, at)) {
      const inner = code.slice(start + quote.length, at);
      return { text: inner.replace(/\\(["'`\\$])/g, "$1"), quote, start, end: at + quote.length };
    }
  }
  return undefined;
}

/** The text of a literal with ANY where the program puts in, or adds behind it, what is not in its text. */
export function filledIn(code: string, { text, start, end }: Literal): string {
  const after = code.slice(end, end + 40);
  const isFormat = /[fF]/.test(code[start - 1] ?? "") || /^\.format\(/.test(after);
  const filled = isFormat
    ? text.replace(/\{[^{}]{0,200}\}/g, ANY)
    : /^\s{0,9}%[\s(]/.test(after)
      ? text.replace(/%[sdr]/g, ANY)
      : text;
  return /^\s{0,9}(\+|\.{1,2}\s{0,9}[$\w"'(]|[A-Z$]\w*\[)/.test(after) && !/^\.[a-z]\w*\(/.test(after)
    ? filled + ANY
    : filled;
}

/** Runs of literals that only commas and blanks part: argument lists. One that goes on with something else ends in ANY. */
export function literalLists(code: string, literals: readonly Literal[]): string[][] {
  const lists: string[][] = [];
  let list: string[] = [];
  for (const [index, literal] of literals.entries()) {
    const before = literals[index - 1];
    const isNext = before !== undefined && /^\s*,[\s[]*$/.test(code.slice(before.end, literal.start).slice(0, 100));
    if (!isNext) list = [];
    list.push(filledIn(code, literal));
    if (!isNext) lists.push(list);
    const after = code.slice(literal.end, literal.end + 40);
    if (/^\s{0,9},\s{0,9}[A-Za-z_$*(]/.test(after) && !/^\s{0,9},\s{0,9}\w+\s?=/.test(after)) list.push(ANY);
  }
  return lists.filter((items) => items.length > 1);
}
