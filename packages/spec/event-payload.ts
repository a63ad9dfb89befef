import type { KnownEvent } from "./event.ts";

/** What every event carries, as hosts write it. Unknown fields survive. */
type Common = {
  session_id: string;
  transcript_path: string | null;
  /** Absolute; the folder that a shell command starts in. */
  cwd: string;
  permission_mode?: string;
  turn_id?: string;
  prompt_id?: string;
  model?: string;
  /** Inside a subagent only, and on its own events. */
  agent_id?: string;
  agent_type?: string;
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
  /** `changes` is null where the patch can't be read: nobody knows what it touches. */
  apply_patch: { patch: string; changes: PatchChange[] | null };
};

/** A tool that has a canonical shape; any other comes as `OtherTool`. */
export type KnownTool = {
  [Name in keyof ToolInputs]: { tool_name: Name; tool_input: ToolInputs[Name] };
}[keyof ToolInputs];
export type OtherTool = { tool_name: string; tool_input: Readonly<Record<string, unknown>> };
export type ToolCall = KnownTool | OtherTool;

/** A call of a batch that is over. */
export type BatchedCall = ToolCall & { tool_use_id?: string; tool_response?: unknown };

type Call = { tool_use_id?: string } & ToolCall;
type Stopping = { stop_hook_active?: boolean; last_assistant_message?: string | null };
type Compaction = { trigger?: string; custom_instructions?: string | null };
type ModelSwitch = { from_model?: string; to_model?: string; source?: string; context_tokens?: number };
type ModelRequest = { llm_request?: object; llm_response?: object };
type Task = { task_id?: string; task_subject?: string; task_description?: string; teammate_name?: string };
type Elicited = { mcp_server_name?: string; message?: string; mode?: string; elicitation_id?: string };
type Attempt = { kind?: string; request_id?: string; attempt_number?: number; thread_id?: string };

/** What an event carries besides; one that isn't here carries nothing that hosts agree on. */
type EventFields = {
  PreToolUse: Call;
  PermissionRequest: Call & { permission_suggestions?: unknown[] };
  PermissionDenied: Call & { reason?: string };
  PostToolUse: Call & { tool_response: unknown; duration_ms?: number };
  PostToolUseFailure: Call & { error?: unknown; is_interrupt?: boolean; duration_ms?: number };
  PostToolBatch: { tool_calls?: BatchedCall[] };
  PreSkillShellCommand: Call & { command_name?: string; invoked_by?: string };
  UserPromptSubmit: { prompt: string };
  UserPromptExpansion: { prompt?: string; expansion_type?: string; command_name?: string; command_args?: string };
  SessionStart: { source?: string; session_title?: string };
  SessionEnd: { reason?: string };
  Setup: { trigger?: string };
  SubagentStop: Stopping & { agent_transcript_path?: string | null };
  Stop: Stopping & { prompt?: string; prompt_response?: string; background_tasks?: unknown[] };
  StopFailure: Stopping & { error?: unknown; error_details?: string };
  TeammateIdle: { teammate_name?: string; team_name?: string };
  TaskCreated: Task;
  TaskCompleted: Task;
  PreCompact: Compaction;
  PostCompact: Compaction & { compact_summary?: string };
  PreModelSwitch: ModelSwitch;
  PostModelSwitch: ModelSwitch;
  Notification: { message?: string; title?: string; notification_type?: string };
  Elicitation: Elicited & { url?: string; requested_schema?: object };
  ElicitationResult: Elicited & { action?: string; content?: object };
  ConfigChange: { source?: string; file_path?: string };
  InstructionsLoaded: { file_path?: string; memory_type?: string; load_reason?: string };
  CwdChanged: { old_cwd?: string; new_cwd?: string };
  FileChanged: { file_path?: string; event?: string };
  DirectoryAdded: { directory?: string; source?: string };
  WorktreeCreate: { name?: string };
  WorktreeRemove: { worktree_path?: string };
  MessageDisplay: { message_id?: string; delta?: string; final?: boolean };
  TodoCreated: { phase?: string };
  TodoCompleted: { phase?: string };
  BeforeModel: ModelRequest;
  AfterModel: ModelRequest;
  BeforeToolSelection: ModelRequest;
  PreModelRequest: Attempt;
  PostModelRequest: Attempt & { status?: string; token_usage?: object };
};

/** The payload of an event by its name. */
export type EventPayload<Name extends KnownEvent> = Name extends KnownEvent
  ? Common & { hook_event_name: Name } & (Name extends keyof EventFields ? EventFields[Name] : unknown)
  : never;

/** `custom.<name>`, `skill.<name>`, and stages that a host declares: `payload` is the host's own, `emitted_by` who told it where no host did. */
export type OpenEvent = Common & { hook_event_name: `${string}.${string}`; payload?: unknown; emitted_by?: string };

export type HookEvent = EventPayload<KnownEvent> | OpenEvent;
