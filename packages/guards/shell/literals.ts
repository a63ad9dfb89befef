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

/** Runs of literals that only commas and blanks part: argument lists. */
export function literalLists(code: string, literals: readonly Literal[]): string[][] {
  const lists: string[][] = [];
  let list: string[] = [];
  for (const [index, literal] of literals.entries()) {
    const before = literals[index - 1];
    const isNext = before !== undefined && /^\s*,[\s[]*$/.test(code.slice(before.end, literal.start).slice(0, 100));
    if (!isNext) list = [];
    list.push(literal.text);
    if (!isNext) lists.push(list);
  }
  return lists.filter((items) => items.length > 1);
}
