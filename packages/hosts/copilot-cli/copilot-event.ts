import type { EventName } from "@hookpkg/spec";
import { asRecord, type HostObject } from "../host-input.ts";

/** Its names of the events that others share; in the other spelling it uses theirs. */
export const EVENTS: Readonly<Record<string, EventName>> = {
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  userPromptSubmitted: "UserPromptSubmit",
  preToolUse: "PreToolUse",
  postToolUse: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  permissionRequest: "PermissionRequest",
  agentStop: "Stop",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  preCompact: "PreCompact",
  notification: "Notification",
};

/** Whether an event that another host's entry was started with is Copilot's: every one carries a time, which those have nowhere. */
export function isCopilots(raw: HostObject): boolean {
  return "timestamp" in raw && ("sessionId" in raw || "session_id" in raw);
}

/**
 * One of its two spellings as the fields that hosts share. The event's key in the settings picks the spelling; in the camelCase one the
 * event isn't named, and is told by its fields. Undefined: not to be told.
 */
export function copilotEvent(raw: HostObject): HostObject | undefined {
  const name = raw.hook_event_name ?? raw.hookName ?? named(raw);
  if (name === undefined) return undefined;
  const input = raw.tool_input ?? raw.toolInput ?? raw.toolArgs;
  const result = asRecord(raw.tool_result) ?? asRecord(raw.toolResult);
  return {
    ...raw,
    hook_event_name: name,
    ...given({
      session_id: raw.session_id ?? raw.sessionId,
      transcript_path: raw.transcript_path ?? raw.transcriptPath,
      tool_name: raw.tool_name ?? raw.toolName,
      tool_input: typeof input === "string" ? parsedArgs(input) : input,
      tool_response: result && (result.text_result_for_llm ?? result.textResultForLlm ?? result),
    }),
  };
}

function named(raw: HostObject): string | undefined {
  if ("toolResult" in raw) return "postToolUse";
  if ("toolName" in raw) return "error" in raw ? "postToolUseFailure" : "preToolUse";
  if ("stopReason" in raw) return "agentName" in raw ? "subagentStop" : "agentStop";
  if ("agentName" in raw) return "subagentStart";
  if ("prompt" in raw) return "userPromptSubmitted";
  if ("source" in raw) return "sessionStart";
  if ("trigger" in raw) return "preCompact";
  return "reason" in raw ? "sessionEnd" : undefined;
}

/** Some versions send the arguments as text. What does not parse stays the text, which is then the input as it came. */
function parsedArgs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
