import { z } from "zod";
import { type EventName, isEventName, isKnownEvent, type KnownEvent } from "./event.ts";

export const eventNameSchema = z
  .custom<EventName>((value) => typeof value === "string" && isEventName(value), "the name of an event")
  .meta({ type: "string" });

const text = (max = 1_000) => z.string().max(max);
const word = () => text().optional();
const prose = () => z.string().optional();
const flag = () => z.boolean().optional();
const count = () => z.number().optional();
const list = () => z.array(z.unknown()).optional();
/** As it came: zod's own record would drop a key such as `__proto__`. */
const object = () =>
  z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      "an object",
    )
    .meta({ type: "object" });

const common = () => ({
  session_id: text(200).min(1),
  transcript_path: text(4096).nullable().optional(),
  cwd: text(4096).regex(/^\//, "an absolute path"),
  permission_mode: text(100).optional(),
  turn_id: text(500).optional(),
  prompt_id: text(500).optional(),
  agent_id: text(500).optional(),
  agent_type: word(),
  model: word(),
});
const call = () => ({ tool_name: text(500).min(1), tool_input: object(), tool_use_id: text(500).optional() });
const agent = () => ({ agent_id: text(500).optional(), agent_type: word() });
const stop = () => ({ stop_hook_active: flag(), last_assistant_message: z.string().nullable().optional() });
const compaction = () => ({ trigger: word(), custom_instructions: z.string().nullable().optional() });
const request = () => ({ llm_request: object().optional(), llm_response: object().optional() });
const model = () => ({ from_model: word(), to_model: word(), source: word(), context_tokens: count() });
const task = () => ({ task_id: word(), task_subject: prose(), task_description: prose(), teammate_name: word() });
const elicitation = () => ({ mcp_server_name: word(), message: prose(), mode: word(), elicitation_id: word() });
const attempt = () => ({ kind: word(), request_id: word(), attempt_number: count(), thread_id: word() });

/**
 * What an event carries besides the common fields. Hosts differ in what they send: only what a guard can't do without is demanded,
 * the rest has a type when it is there.
 */
const FIELDS: { readonly [Event in KnownEvent]?: () => z.core.$ZodShape } = {
  PreToolUse: call,
  PermissionRequest: () => ({ ...call(), permission_suggestions: list() }),
  PermissionDenied: () => ({ ...call(), reason: prose() }),
  PostToolUse: () => ({ ...call(), tool_response: z.unknown().optional(), duration_ms: count() }),
  PostToolUseFailure: () => ({
    ...call(),
    error: z.unknown().optional(),
    is_interrupt: flag(),
    duration_ms: count(),
  }),
  PostToolBatch: () => ({ tool_calls: z.array(object()).optional() }),
  PreSkillShellCommand: () => ({ ...call(), command_name: word(), invoked_by: word() }),
  UserPromptSubmit: () => ({ prompt: z.string() }),
  UserPromptExpansion: () => ({ prompt: prose(), expansion_type: word(), command_name: word(), command_args: prose() }),
  SessionStart: () => ({ source: word(), session_title: prose() }),
  SessionEnd: () => ({ reason: word() }),
  Setup: () => ({ trigger: word() }),
  SubagentStart: agent,
  SubagentStop: () => ({ ...agent(), ...stop(), agent_transcript_path: text(4096).nullable().optional() }),
  Stop: () => ({ ...stop(), prompt: prose(), prompt_response: prose(), background_tasks: list() }),
  StopFailure: () => ({ error: z.unknown().optional(), error_details: prose(), ...stop() }),
  TeammateIdle: () => ({ teammate_name: word(), team_name: word() }),
  TaskCreated: task,
  TaskCompleted: task,
  PreCompact: compaction,
  PostCompact: () => ({ ...compaction(), compact_summary: prose() }),
  PreModelSwitch: model,
  PostModelSwitch: model,
  Notification: () => ({ message: prose(), title: prose(), notification_type: word() }),
  Elicitation: () => ({ ...elicitation(), url: prose(), requested_schema: object().optional() }),
  ElicitationResult: () => ({ ...elicitation(), action: word(), content: object().optional() }),
  ConfigChange: () => ({ source: word(), file_path: text(4096).optional() }),
  InstructionsLoaded: () => ({ file_path: text(4096).optional(), memory_type: word(), load_reason: word() }),
  CwdChanged: () => ({ old_cwd: text(4096).optional(), new_cwd: text(4096).optional() }),
  FileChanged: () => ({ file_path: text(4096).optional(), event: word() }),
  DirectoryAdded: () => ({ directory: text(4096).optional(), source: word() }),
  WorktreeCreate: () => ({ name: word() }),
  WorktreeRemove: () => ({ worktree_path: text(4096).optional() }),
  MessageDisplay: () => ({ message_id: word(), delta: prose(), final: flag() }),
  TodoCreated: () => ({ phase: word() }),
  TodoCompleted: () => ({ phase: word() }),
  BeforeModel: request,
  AfterModel: request,
  BeforeToolSelection: request,
  PreModelRequest: attempt,
  PostModelRequest: () => ({ ...attempt(), status: word(), token_usage: object().optional() }),
  "memory.save": hostFields,
};

function hostFields(): z.core.$ZodShape {
  return { payload: z.unknown().optional() };
}

const schemas = new Map<string, z.ZodType>();

/** What a handler of this event reads; fields that aren't named here are the host's and survive. Built when first asked for. */
export function inputSchema(event: EventName): z.ZodType {
  const built = schemas.get(isKnownEvent(event) ? event : "");
  if (built) return built;
  const name = isKnownEvent(event) ? z.literal(event) : eventNameSchema;
  const own = (isKnownEvent(event) ? FIELDS[event] : hostFields)?.() ?? {};
  const schema = z.looseObject({ hook_event_name: name, ...common(), ...own });
  schemas.set(isKnownEvent(event) ? event : "", schema);
  return schema;
}
