import { z } from "zod";
import { EVENT_NAMES, type EventName } from "./event.ts";
import { refuse } from "./faults.ts";

/**
 * What a handler reads and `run native` takes (wire.md §4): canonical tool names and hook shapes. Fields that we don't know
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
  tool_response?: unknown;
  reason?: string;
  readonly [field: string]: unknown;
};

const record = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "an object",
);
const text = (max: number) => z.string().max(max);

const common = {
  hook_event_name: z.enum(EVENT_NAMES as [EventName, ...EventName[]]), // never empty
  session_id: text(200).min(1),
  transcript_path: text(4096).nullable().default(null),
  cwd: text(4096).regex(/^\//, "an absolute path"),
  permission_mode: text(100).optional(),
  tool_use_id: text(500).optional(),
  turn_id: text(500).optional(),
  reason: text(1000).optional(),
};
const schema = z.looseObject({ ...common, tool_name: text(500).optional(), tool_input: record.optional() });

/** Checks the fields that hookpkg relies on; a tool event without a tool is refused. */
export function parsePayload(value: unknown): Payload {
  const parsed = schema.safeParse(value);
  const issue = parsed.error?.issues[0];
  if (!parsed.success) throw refuse("E_PAYLOAD", { path: issue?.path.join(".") ?? "", found: issue?.message ?? "" });
  const payload = parsed.data as Payload; // looseObject keeps every other field as it came
  if (payload.hook_event_name !== "SessionEnd" && (!payload.tool_name || !payload.tool_input))
    throw refuse("E_PAYLOAD", { path: payload.tool_name ? "tool_input" : "tool_name", found: "missing" });
  return payload;
}
