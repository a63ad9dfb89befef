import { basename } from "node:path";
import { type EventName, eventRow, isEventName } from "./event.ts";
import { inputSchema } from "./event-input.ts";
import { refuse } from "./faults.ts";
import { toolSubjects } from "./tool.ts";

/**
 * What a handler reads and `run native` takes: canonical tool names and hook shapes. Fields that we don't know
 * are the host's and survive the round trip.
 */
export type Payload = {
  hook_event_name: EventName;
  session_id: string;
  transcript_path: string | null;
  cwd: string;
  permission_mode?: string;
  tool_name?: string;
  tool_input?: Readonly<Record<string, unknown>>;
  tool_use_id?: string;
  turn_id?: string;
  prompt_id?: string;
  tool_response?: unknown;
  prompt?: string;
  source?: string;
  reason?: string;
  trigger?: string;
  agent_id?: string;
  agent_type?: string;
  stop_hook_active?: boolean;
  /** Of a stage that the host declares. */
  payload?: unknown;
  readonly [field: string]: unknown;
};

/** Checks the fields that hookpkg relies on, by event; a tool event without a tool is refused. Everything else is kept as it came. */
export function parsePayload(value: unknown): Payload {
  const given = value as { hook_event_name?: unknown; transcript_path?: unknown } | null | undefined; // looked at, not trusted
  const event = given?.hook_event_name;
  if (typeof event !== "string" || !isEventName(event))
    throw refuse("E_PAYLOAD", { path: "hook_event_name", found: typeof event });
  const [issue] = inputSchema(event).safeParse(value).error?.issues ?? [];
  if (issue) throw refuse("E_PAYLOAD", { path: issue.path.join("."), found: issue.message });
  return { ...(value as Payload), transcript_path: (given?.transcript_path as string | undefined) ?? null }; // just checked
}

/** What the matchers of an event are tried against: a tool's canonical name and aliases, or the text that the event goes by. */
export function matchSubjects(payload: Payload, hostTool?: string): readonly string[] {
  const subject = eventRow(payload.hook_event_name).matches;
  if (subject === null) return [];
  if (subject === "tool") return toolSubjects(payload.tool_name ?? "", hostTool);
  const value = payload[subject];
  if (typeof value !== "string") return [];
  return subject === "file_path" ? [...new Set([basename(value), value])] : [value];
}
