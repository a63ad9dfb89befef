import { ANY } from "./unknown.ts";

/** More words than this, and the rest are left out: a judge of targets has seen enough of them. */
const MAX_BRACE_WORDS = 256;
const MAX_BRACE_DEPTH = 8;
/** A longer word is taken for one that can't be known. */
const MAX_BRACE_CHARS = 4096;

/** `a{b,c}` → `ab`, `ac`; `{1..3}` → 1, 2, 3. Quotes and expansions are passed over, as bash does. */
export function braceWords(text: string, depth = 0): string[] {
  if (text.length > MAX_BRACE_CHARS) return [ANY];
  const open = firstGroup(text);
  if (open === undefined || depth > MAX_BRACE_DEPTH) return [text];
  const before = text.slice(0, open.start);
  const after = braceWords(text.slice(open.end), depth);
  const words: string[] = [];
  for (const part of open.parts.flatMap((inner) => braceWords(inner, depth + 1))) {
    for (const rest of after) {
      words.push(before + part + rest);
      if (words.length >= MAX_BRACE_WORDS) return words;
    }
  }
  return words;
}

type Group = { start: number; end: number; parts: string[] };

function firstGroup(text: string): Group | undefined {
  let at = 0;
  while (at < text.length) {
    if (text[at] === "{" && text[at - 1] !== "$") {
      const group = groupAt(text, at);
      if (group !== undefined) return group;
    }
    at = skip(text, at);
  }
  return undefined;
}

function groupAt(text: string, start: number): Group | undefined {
  const cuts: number[] = [];
  let level = 0;
  for (let at = start; at < text.length; at = skip(text, at)) {
    if (text[at] === "{") level++;
    else if (text[at] === "," && level === 1) cuts.push(at);
    else if (text[at] === "}" && --level === 0) {
      const inner = text.slice(start + 1, at);
      const edges = [start, ...cuts, at];
      const parts =
        cuts.length > 0 ? edges.slice(1).map((edge, i) => text.slice((edges[i] ?? start) + 1, edge)) : sequence(inner);
      return parts === undefined ? undefined : { start, end: at + 1, parts };
    }
  }
  return undefined;
}

/** The place after one sign, quoted run or `${…}`, `$(…)`, backtick run. */
function skip(text: string, at: number): number {
  const sign = text[at];
  if (sign === "\\") return at + 2;
  if (sign === "'" || sign === '"' || sign === "`") {
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === "\\" && sign !== "'") end++;
      else if (text[end] === sign) return end + 1;
    }
    return text.length;
  }
  const close = sign === "$" ? { "{": "}", "(": ")" }[text[at + 1] ?? ""] : undefined;
  if (close === undefined) return at + 1;
  let level = 0;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === text[at + 1]) level++;
    else if (text[end] === close && --level === 0) return end + 1;
  }
  return text.length;
}

function sequence(inner: string): string[] | undefined {
  const found = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(inner);
  const [, from = "", to = "", by = "1"] = found ?? [];
  const areNumbers = /\d/.test(from) && /\d/.test(to);
  if (found === null || (!areNumbers && (/\d/.test(from) || /\d/.test(to)))) return undefined;
  const [first, last] = areNumbers ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(by))) * (first <= last ? 1 : -1);
  const words: string[] = [];
  for (let n = first; (step > 0 ? n <= last : n >= last) && words.length < MAX_BRACE_WORDS; n += step) {
    words.push(areNumbers ? `${n}` : String.fromCharCode(n));
  }
  return words;
}
