import type { EventPayload, ToolCall } from "@hookpkg/spec";

export type {
  BatchedCall,
  EventPayload,
  HookEvent,
  KnownTool,
  OpenEvent,
  OtherTool,
  PatchChange,
  ToolCall,
  ToolInputs,
} from "@hookpkg/spec";

export type PreToolUse = EventPayload<"PreToolUse">;
export type PermissionRequest = EventPayload<"PermissionRequest">;
export type PostToolUse = EventPayload<"PostToolUse">;
export type PostToolUseFailure = EventPayload<"PostToolUseFailure">;
export type PostToolBatch = EventPayload<"PostToolBatch">;
export type UserPromptSubmit = EventPayload<"UserPromptSubmit">;
export type SessionStart = EventPayload<"SessionStart">;
export type SessionEnd = EventPayload<"SessionEnd">;
export type SubagentStart = EventPayload<"SubagentStart">;
export type SubagentStop = EventPayload<"SubagentStop">;
export type PreCompact = EventPayload<"PreCompact">;
export type Stop = EventPayload<"Stop">;
export type Notification = EventPayload<"Notification">;

/** Text of one field of a tool's input, or undefined where the host sent something else. */
export function inputText(call: ToolCall, field: string): string | undefined {
  const value = Object.entries(call.tool_input).find(([name]) => name === field)?.[1];
  return typeof value === "string" ? value : undefined;
}
