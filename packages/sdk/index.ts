export { allow, ask, cancel, context, end, next, patch } from "./answers.ts";
export { type CaseResult, type HookCase, runCase } from "./case.ts";
export { type CompleteOptions, defineHook, type Hook, type HookContext, type Said, type Storage } from "./hook.ts";
export { paths, type TouchedPath, UnreadablePatch } from "./paths.ts";
export {
  type BatchedCall,
  type EventPayload,
  type HookEvent,
  inputText,
  type KnownTool,
  type Notification,
  type OpenEvent,
  type OtherTool,
  type PatchChange,
  type PermissionRequest,
  type PostToolBatch,
  type PostToolUse,
  type PostToolUseFailure,
  type PreCompact,
  type PreToolUse,
  type SessionEnd,
  type SessionStart,
  type Stop,
  type SubagentStart,
  type SubagentStop,
  type ToolCall,
  type ToolInputs,
  type UserPromptSubmit,
} from "./payload.ts";
