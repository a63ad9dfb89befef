import { Fault, isFault } from "@hookpkg/fault";
import { refuse } from "./faults.ts";
import { jsonPlace, placeOf } from "./json-place.ts";

export const MAX_DEPTH = 32;
/** A hook event may carry a whole file; 16 MiB is above every host's own limit. */
export const MAX_JSON_BYTES = 16 * 1024 * 1024;

export type JsonLimits = { maxBytes?: number; maxDepth?: number };

/**
 * The one JSON door: fatal UTF-8, no byte order mark, size and depth checked, a key may stand only once in an object
 * (`JSON.parse` keeps the last one, other parsers the first: a difference that hides things).
 */
export function parseJson(input: Uint8Array | string, limits: JsonLimits = {}): unknown {
  const maxBytes = limits.maxBytes ?? MAX_JSON_BYTES;
  const size = typeof input === "string" ? Buffer.byteLength(input) : input.byteLength;
  if (size > maxBytes) throw refuse("E_JSON_TOO_LARGE", { bytes: size, maxBytes });
  const text = typeof input === "string" ? input : decodeUtf8(input);
  checkShape(text, limits.maxDepth ?? MAX_DEPTH * 4);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("E_JSON", { ...jsonPlace(text) }, cause);
  }
}

/** What a parser gives; a fault of its says in which file it was. */
export function parsedFrom<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isFault(error) || "file" in error.facts) throw error;
    throw new Fault(error.code, error.message, { file, ...error.facts }, error);
  }
}

/** Text of bytes that must be UTF-8. A byte order mark is kept, so that the parser refuses it. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch (cause) {
    throw refuse("E_JSON_NOT_UTF8", {}, cause);
  }
}

/** Without `stream` it keeps nothing from one text to the next, a broken one either. */
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Walks strings and brackets only, before JSON.parse sees the text: depth first, because deep text costs the parser its stack. */
function checkShape(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text[at];
    if (sign === "{" || sign === "[") {
      open.push(sign === "{" ? new Set() : null);
      if (open.length > maxDepth) throw refuse("E_JSON_TOO_DEEP", { maxDepth });
    } else if (sign === "}" || sign === "]") {
      open.pop();
    } else if (sign === '"') {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      if (keys && nextSign(text, end + 1) === ":") addKey(keys, text, at, end + 1);
      at = end;
    }
    at++;
  }
}

function stringEnd(text: string, start: number): number {
  for (let end = start + 1; end < text.length; ) {
    const sign = text.charCodeAt(end);
    if (sign === QUOTE) return end;
    end += sign === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function nextSign(text: string, from: number): string | undefined {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text[at] ?? "")) at++;
  return text[at];
}

function addKey(keys: Set<string>, text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const key = raw.includes("\\") ? unescaped(raw) : raw.slice(1, -1);
  if (keys.has(key)) throw refuse("E_JSON_DUPLICATE_KEY", { key: key.slice(0, 100), ...placeOf(text, from) });
  keys.add(key);
}

function unescaped(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch (cause) {
    throw refuse("E_JSON", {}, cause);
  }
}
