import canonicalizeJcs from "canonicalize";
import { refuse } from "./faults.ts";
import { MAX_DEPTH, parseJson } from "./json.ts";

/** Signed documents are small; a larger one is refused before it is parsed. */
export const MAX_SIGNED_BYTES = 256 * 1024;

/** RFC 8785 text of a value. Keys with the value `undefined` are left out, as in JSON. */
export function canonicalText(value: unknown): string {
  const text = written(value);
  if (text === undefined) throw refuse("E_CANONICAL", { found: typeof value });
  return text;
}

/** Lone surrogates, NaN and the like have no canonical text. */
function written(value: unknown): string | undefined {
  try {
    return canonicalizeJcs(value);
  } catch (cause) {
    throw refuse("E_CANONICAL", {}, cause);
  }
}

/** RFC 8785 bytes of a value: what is hashed and signed. */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalText(value));
}

/**
 * Parses bytes that must already be canonical. The byte comparison refuses duplicate keys, odd spacing, lost digits and lone
 * surrogates at once; what is left to check is that numbers are integers.
 */
export function parseCanonical(bytes: Uint8Array): unknown {
  const value = parseJson(bytes, { maxBytes: MAX_SIGNED_BYTES, maxDepth: MAX_DEPTH });
  onlyIntegers(value);
  if (!Buffer.from(canonicalBytes(value)).equals(bytes)) throw refuse("E_CANONICAL");
  return value;
}

function onlyIntegers(value: unknown): void {
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw refuse("E_CANONICAL_NUMBER", { found: `${value}` });
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) onlyIntegers(part);
}
