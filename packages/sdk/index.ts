export { allow, ask, cancel, context, end, next, patch } from "./answers.ts";
export { type CaseResult, type HookCase, runCase } from "./case.ts";
export { defineHook, type Hook, type HookContext, type Said } from "./hook.ts";
export { paths, type TouchedPath } from "./paths.ts";
export {
  type HookEvent,
  inputText,
  type KnownTool,
  type OtherTool,
  type PatchChange,
  type PostToolUse,
  type PreToolUse,
  type SessionEnd,
  type ToolCall,
  type ToolInputs,
} from "./payload.ts";
