import { isFault } from "@hookpkg/fault";
import { type CustomEvent, isCustomEvent, isKnownEvent, MAX_DEPTH, type Payload, parseJson } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Emitted } from "./trigger.ts";

/** What goes with one notice, as JSON. */
export const MAX_EMITTED_BYTES = 64 * 1024;
/** One call of one handler. */
export const MAX_EMITTED_A_CALL = 20;

/** A notice that somebody who is no host wants to tell. E_EMIT_NAME, E_EMIT_DATA, E_EMIT_SIZE. */
export function emitted(name: unknown, data: unknown): Emitted {
  return { name: customName(name), data: jsonOf(data) };
}

/**
 * An event as its host told it. Who told a notice is ours to say: with a field of its own a host, or whoever speaks through it, would
 * pass for a handler.
 */
export function toldByHost(payload: Payload): Payload {
  if (isKnownEvent(payload.hook_event_name) || payload.emitted_by === undefined) return payload;
  const { emitted_by: _, ...rest } = payload;
  return rest;
}

function customName(name: unknown): CustomEvent {
  if (typeof name !== "string") throw refuse("E_EMIT_NAME", { found: typeof name, expected: EXPECTED });
  if (!isCustomEvent(name)) throw refuse("E_EMIT_NAME", { found: name.slice(0, MAX_SHOWN), expected: EXPECTED });
  return name;
}

const EXPECTED = "custom.<name>, in lower case";
const MAX_SHOWN = 100;

function jsonOf(data: unknown): unknown {
  const text = textOf(data ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_EMITTED_BYTES) throw refuse("E_EMIT_SIZE", { bytes, max: MAX_EMITTED_BYTES });
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH }); // a copy: whoever told it may go on changing theirs
  } catch (cause) {
    throw refuse("E_EMIT_DATA", { found: isFault(cause) ? cause.code : "no JSON" }, cause);
  }
}

function textOf(data: unknown): string {
  try {
    const text: unknown = JSON.stringify(data); // undefined for a function
    if (typeof text === "string") return text;
  } catch (cause) {
    throw refuse(
      "E_EMIT_DATA",
      { found: cause instanceof Error ? `${cause}`.slice(0, MAX_SHOWN) : typeof cause },
      cause,
    );
  }
  throw refuse("E_EMIT_DATA", { found: typeof data });
}
