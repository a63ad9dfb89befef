import type { EventName } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { asRecord, type HostObject } from "../host-input.ts";

/** Its names of the events, by the field that only this event has, and what the command line calls them in `hookName`. */
const EVENTS: readonly (readonly [string, EventName, string, string])[] = [
  ["PreToolUse", "PreToolUse", "preToolUse", "tool_call"],
  ["PostToolUse", "PostToolUse", "postToolUse", "tool_result"],
  ["UserPromptSubmit", "UserPromptSubmit", "userPromptSubmit", "prompt_submit"],
  ["TaskStart", "SessionStart", "taskStart", "agent_start"],
  ["TaskResume", "SessionStart", "taskResume", "agent_resume"],
  ["TaskComplete", "Stop", "taskComplete", "agent_end"],
  ["TaskCancel", "StopFailure", "taskCancel", "agent_abort"],
  ["TaskError", "StopFailure", "taskError", "agent_error"],
  ["PreCompact", "PreCompact", "preCompact", "pre_compact"],
  ["SessionShutdown", "SessionEnd", "sessionShutdown", "session_shutdown"],
];

/** What is read of an event: Cline's name, ours, and the fields that hosts share. */
export type ClineEvent = { name: string; event: EventName | undefined; raw: HostObject };

const MAX_NAME = 200;

/** E_HOST_EVENT_NAME when nothing tells which it is. */
export function clineEvent(given: HostObject): ClineEvent {
  const told = typeof given.hook_event_name === "string" ? given.hook_event_name : given.hookName;
  const row = EVENTS.find(
    ([name, ours, field, hookName]) => field in given || [name, ours, hookName].includes(String(told)),
  );
  if (!row && (typeof told !== "string" || told === "" || told.length > MAX_NAME))
    throw refuse("E_HOST_EVENT_NAME", { found: typeof told });
  const [name, event] = row ?? [String(told), undefined];
  const after = asRecord(given.postToolUse);
  const isFailure = event === "PostToolUse" && after?.success === false;
  const [cwd] = Array.isArray(given.workspaceRoots) ? given.workspaceRoots : [];
  const session = given.session_id ?? given.taskId;
  return {
    name,
    event: isFailure ? "PostToolUseFailure" : event,
    raw: {
      ...given,
      ...(given.cwd === undefined ? { cwd } : {}),
      ...(session === undefined ? {} : { session_id: session }),
      ...callOf(given),
      ...promptOf(given),
    },
  };
}

/** The call in its own types; the older form has texts of them beside it, or instead. */
function callOf(given: HostObject): HostObject {
  const call = asRecord(given.tool_call) ?? asRecord(given.tool_result);
  const older = asRecord(given.preToolUse) ?? asRecord(given.postToolUse);
  if (!call && !older) return {};
  const result = call && "output" in call ? call.output : (older?.result ?? undefined);
  return {
    tool_name: call?.name ?? older?.toolName,
    tool_input: call?.input ?? parsedValues(older?.parameters),
    ...(typeof call?.id === "string" ? { tool_use_id: call.id } : {}),
    ...(result === undefined ? {} : { tool_response: result }),
  };
}

function promptOf(given: HostObject): HostObject {
  const prompt = asRecord(given.userPromptSubmit)?.prompt;
  return typeof prompt === "string" ? { prompt } : {};
}

/** Values that are no text came as JSON in one. */
function parsedValues(parameters: unknown): unknown {
  const record = asRecord(parameters);
  if (!record) return parameters;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, isList(value) ? JSON.parse(value) : value]),
  );
}

function isList(value: unknown): value is string {
  if (typeof value !== "string" || !value.startsWith("[")) return false;
  try {
    return Array.isArray(JSON.parse(value));
  } catch {
    return false;
  }
}
