import { isFault } from "@hookpkg/fault";
import {
  type EventName,
  eventRow,
  hookShape,
  matchSubjects,
  type Payload,
  parseJson,
  parsePayload,
} from "@hookpkg/spec";
import type { HostEvent, HostName } from "./adapter.ts";
import { refuse } from "./faults.ts";

export type HostObject = Readonly<Record<string, unknown>>;

/** Characters of an event's name; no host comes near. */
const MAX_EVENT_NAME = 200;

/** The object of one event, out of whatever stdin held. */
export function hostObject(input: unknown): HostObject {
  const value = typeof input === "string" || input instanceof Uint8Array ? parsed(input) : input;
  const object = asRecord(value);
  if (!object) throw refuse("E_HOST_NOT_JSON", { found: Array.isArray(value) ? "array" : typeof value });
  return object;
}

function parsed(input: string | Uint8Array): unknown {
  try {
    return parseJson(withoutMark(input));
  } catch (cause) {
    const large = isFault(cause, "E_JSON_TOO_LARGE") || isFault(cause, "E_JSON_TOO_DEEP");
    throw refuse(large ? "E_HOST_TOO_LARGE" : "E_HOST_NOT_JSON", isFault(cause) ? cause.facts : {}, cause);
  }
}

/** Some shells of Windows put a byte order mark before everything. */
function withoutMark(input: string | Uint8Array): string | Uint8Array {
  if (typeof input === "string") return input.replace(/^\ufeff/, "");
  return input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf ? input.subarray(3) : input;
}

export function eventName(object: HostObject): string {
  const name = object.hook_event_name;
  if (typeof name !== "string" || name === "" || name.length > MAX_EVENT_NAME)
    throw refuse("E_HOST_EVENT_NAME", { found: typeof name });
  return name;
}

export function unserved(host: HostName, hostEventName: string, raw: HostObject): HostEvent {
  return { host, hostEventName, raw, event: null, payload: null, subjects: [] };
}

/** How a host names a tool and its input: canonical name and the keys of the hook shape. */
export type ToolReading = { tool: string; input: HostObject };

type ReadTool = (name: string, input: HostObject) => ToolReading;

/** The event in canonical form; `tool` reads the host's call, the rest of the fields is common to all hosts that we serve. */
export function served(host: HostName, event: EventName, raw: HostObject, tool: ReadTool): HostEvent {
  const common = { host, hostEventName: eventName(raw), raw, event };
  const call = eventRow(event).matches === "tool" ? toolCall(raw, tool) : undefined;
  const payload = checked({
    ...raw,
    hook_event_name: event,
    ...(call ? { tool_name: call.tool, tool_input: call.input } : {}),
  });
  if (!call) return { ...common, payload: withCalls(payload, tool), subjects: matchSubjects(payload) };
  const { input, fault } = hookShape(call.tool, call.input, payload.cwd);
  return {
    ...common,
    payload: { ...payload, tool_input: input },
    subjects: matchSubjects(payload, String(raw.tool_name)),
    ...(fault ? { fault } : {}),
  };
}

/** The calls of a batch have canonical names and shapes as well; what is no call stays as it came. */
function withCalls(payload: Payload, tool: ReadTool): Payload {
  const calls = payload.tool_calls;
  if (!Array.isArray(calls)) return payload;
  const canonical = calls.map((call) => {
    const record = asRecord(call);
    const input = asRecord(record?.tool_input);
    if (!record || !input || typeof record.tool_name !== "string") return call;
    const read = tool(record.tool_name, input);
    return { ...record, tool_name: read.tool, tool_input: hookShape(read.tool, read.input, payload.cwd).input };
  });
  return { ...payload, tool_calls: canonical };
}

/** A name with blanks around it or signs that can't be seen would slip past every exact matcher. */
const TOOL_NAME = /^[^\s\p{C}](?:[^\p{C}]{0,498}[^\s\p{C}])?$/u;

/** An input that is no object stands under `value`, and is put back from there. */
export const BARE = "value";

function toolCall(raw: HostObject, tool: ReadTool): ToolReading {
  const name = raw.tool_name;
  if (typeof name !== "string" || !TOOL_NAME.test(name)) throw refuse("E_HOST_FIELD", { path: "tool_name" });
  if (raw.tool_input === undefined) throw refuse("E_HOST_FIELD", { path: "tool_input" });
  return tool(name, asRecord(raw.tool_input) ?? { [BARE]: raw.tool_input });
}

function checked(value: HostObject): Payload {
  try {
    return parsePayload(value);
  } catch (cause) {
    throw refuse("E_HOST_FIELD", isFault(cause) ? cause.facts : {}, cause);
  }
}

export function asRecord(value: unknown): HostObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? (value as HostObject)
    : undefined;
}
