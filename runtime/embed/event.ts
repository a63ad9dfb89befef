import { type HostEvent, hostNamed } from "@hookpkg/hosts";
import type { EventPayload, KnownEvent, Payload } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

/** A name of the table, one of its aliases (`tool.call`), `custom.<name>`, `skill.<name>`, or a stage of yours (`mytool.save`). */
export type ChainEvent = KnownEvent | (string & {});

/**
 * What goes with an event: its own fields by type where the name is one of the table, any under another name; fields that nobody here
 * knows are handed on. What the chain knows itself can be left out.
 */
export type ChainPayload<E extends ChainEvent> = E extends KnownEvent ? Given<EventPayload<E>> : Given<Place>;

type Place = { session_id: string; cwd: string; transcript_path: string | null };
type Given<P> = P extends unknown ? Omit<P, keyof Place | "hook_event_name"> & Partial<Place> & Other : never;
type Other = { readonly [field: string]: unknown };

export type Served = Extract<HostEvent, { payload: Payload }>;

/**
 * An embedder's event as handlers read it: what `hookpkg run native` would make of the same text, so that nothing the embedder does to its
 * object afterwards changes it. E_CHAIN_EVENT, E_HOST_….
 */
export function servedEvent(event: string, payload: unknown, place: Omit<Place, "transcript_path">): Served {
  const given = copyOf(payload);
  const { hook_event_name: named = event, ...fields } = given;
  if (named !== event)
    throw refuse("E_CHAIN_EVENT", { path: "hook_event_name", found: String(named).slice(0, MAX_SHOWN) });
  const whole = { ...place, transcript_path: null, ...fields, hook_event_name: event };
  const read = hostNamed("native")?.read(JSON.stringify(whole));
  if (read === undefined || read.event === null)
    throw refuse("E_CHAIN_EVENT", { found: String(event).slice(0, MAX_SHOWN) });
  return read;
}

const MAX_SHOWN = 100;

function copyOf(payload: unknown): Readonly<Record<string, unknown>> {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(payload));
  } catch (cause) {
    throw refuse("E_CHAIN_EVENT", { path: "payload", found: String(cause).slice(0, MAX_SHOWN) }, cause);
  }
  if (typeof copy === "object" && copy !== null && !Array.isArray(copy)) return copy as Record<string, unknown>; // just looked
  throw refuse("E_CHAIN_EVENT", { path: "payload", found: Array.isArray(copy) ? "array" : typeof copy });
}
