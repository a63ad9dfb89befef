/** Where a text stops being JSON, for a person to look at: line and column from 1. Undefined when it is JSON. */
export function jsonPlace(text: string): { line: number; column: number } | undefined {
  if (text.length > MAX_PLACED_CHARS) return undefined;
  const at = brokenAt(text);
  return at === undefined ? undefined : placeOf(text, at);
}

/** Nobody mends a longer text by hand. */
const MAX_PLACED_CHARS = 1024 * 1024;

/** Line and column of an offset, both from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

const TOKEN =
  /[ \t\n\r]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const BLANKS = /[ \t\n\r]*/y;

/** What may come next: in an object a key, after it a colon, and so on. The parser's own messages say no place. */
type Wanted = "value" | "value or ]" | "key or }" | "key" | ":" | ", or end";

function brokenAt(text: string): number | undefined {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  for (let from = 0; wanted !== ", or end" || open.length > 0; from = TOKEN.lastIndex) {
    TOKEN.lastIndex = from;
    const token = TOKEN.exec(text)?.[1];
    const next: Wanted | undefined = token === undefined ? undefined : after(token, wanted, open);
    if (next === undefined) return from + blanks(text, from);
    wanted = next;
    if (wanted === ", or end" && open.length === 0) {
      const end = TOKEN.lastIndex + blanks(text, TOKEN.lastIndex);
      return end === text.length ? undefined : end;
    }
  }
  return undefined;
}

/** What is wanted after a token; undefined where it may not stand. */
function after(token: string, wanted: Wanted, open: ("{" | "[")[]): Wanted | undefined {
  const inside = open.at(-1);
  if (token === ":") return wanted === ":" ? "value" : undefined;
  if (token === ",") return wanted !== ", or end" ? undefined : inside === "{" ? "key" : "value";
  if (token === "}" || token === "]") {
    const closes = token === "}" ? "{" : "[";
    const mayClose = wanted === ", or end" || wanted === (token === "}" ? "key or }" : "value or ]");
    if (!mayClose || inside !== closes) return undefined;
    open.pop();
    return ", or end";
  }
  if (wanted === "key" || wanted === "key or }") return token.startsWith('"') ? ":" : undefined;
  if (wanted !== "value" && wanted !== "value or ]") return undefined;
  if (token !== "{" && token !== "[") return ", or end";
  open.push(token);
  return token === "{" ? "key or }" : "value or ]";
}

function blanks(text: string, from: number): number {
  BLANKS.lastIndex = from;
  return BLANKS.exec(text)?.[0].length ?? 0;
}
