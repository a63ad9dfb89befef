/** What every event carries, as hosts write it. Unknown fields survive. */
type Common = {
  session_id: string;
  transcript_path: string | null;
  /** Absolute; the folder that a shell command starts in. */
  cwd: string;
  permission_mode?: string;
  turn_id?: string;
};

export type PatchChange = { op: "add" | "update" | "delete" | "move"; path: string; to?: string; content?: string };

/** The canonical hook shape of each tool, whatever the host calls it. Paths are absolute where the host knows them. */
export type ToolInputs = {
  Bash: { command: string };
  Write: { file_path: string; content: string };
  Edit: { file_path: string; old_string: string; new_string: string };
  MultiEdit: { file_path: string; edits: { old_string: string; new_string: string }[] };
  NotebookEdit: { notebook_path: string; new_source?: string };
  Read: { file_path: string };
  apply_patch: { patch: string; changes: PatchChange[] };
};

/** A tool that has a canonical shape; any other comes as `OtherTool`. */
export type KnownTool = {
  [Name in keyof ToolInputs]: { tool_name: Name; tool_input: ToolInputs[Name] };
}[keyof ToolInputs];
export type OtherTool = { tool_name: string; tool_input: Readonly<Record<string, unknown>> };
export type ToolCall = KnownTool | OtherTool;

export type PreToolUse = Common & { hook_event_name: "PreToolUse"; tool_use_id?: string } & ToolCall;
export type PostToolUse = Common & {
  hook_event_name: "PostToolUse";
  tool_use_id?: string;
  tool_response: unknown;
} & ToolCall;
export type SessionEnd = Common & { hook_event_name: "SessionEnd"; reason?: string };

export type HookEvent = PreToolUse | PostToolUse | SessionEnd;

/** Text of one field of a tool's input, or undefined where the host sent something else. */
export function inputText(call: ToolCall, field: string): string | undefined {
  const value = Object.entries(call.tool_input).find(([name]) => name === field)?.[1];
  return typeof value === "string" ? value : undefined;
}
