import type { May } from "./answer.ts";

/** The payload field that an event's matcher is tried on, `tool` for a tool's names; `null`: the event ignores matchers. */
export type MatchSubject =
  | "tool"
  | "source"
  | "reason"
  | "trigger"
  | "notification_type"
  | "agent_type"
  | "command_name"
  | "to_model"
  | "mcp_server_name"
  | "load_reason"
  | "error"
  | "file_path"
  | null;

export type EventRow = {
  /** A stage waits for its handlers, a notice doesn't. */
  kind: "stage" | "notice";
  /** What its handlers may be given to answer, and what they may when the handler names nothing. */
  may: readonly May[];
  defaultMay: readonly May[];
  matches: MatchSubject;
  /** Values of that field that hosts are known to send, for what an author may have meant. */
  values: readonly string[];
  /** Payload fields that a patch may name. */
  patchable: readonly string[];
  defaultTimeoutMs: number;
  /** Spellings of other hosts besides camelCase and snake_case. This table may only gain rows. */
  aliases: readonly string[];
};

const STAGE_TIMEOUT_MS = 10_000;
/** Observers have it too: nobody waits for either. */
export const NOTICE_TIMEOUT_MS = 30_000;

/** Events of hosts that obey a refusal there and have no row of their own among our stages. */
const refusable = (matches: MatchSubject = null): EventRow => stage("cancel", { matches });

/**
 * Every event that a known host fires or that Eva tells of, by the name that most hosts share. First the stages that hookpkg gives
 * a meaning of its own; then those where a host obeys a refusal; then what is only told.
 */
export const EVENTS = {
  PreToolUse: stage("cancel ask patch context allow", {
    matches: "tool",
    defaultMay: ["cancel", "ask"],
    patchable: ["tool_input"],
    aliases: spelt("tool.call BeforeTool tool.execute.before"),
  }),
  PermissionRequest: stage("allow cancel ask", {
    matches: "tool",
    defaultMay: ["cancel", "ask"],
    aliases: spelt("permission.ask"),
  }),
  PostToolUse: stage("cancel context patch", {
    matches: "tool",
    patchable: ["tool_response"],
    aliases: spelt("tool.result AfterTool tool.execute.after"),
  }),
  PostToolUseFailure: stage("cancel context patch", { matches: "tool", patchable: ["error"] }),
  PostToolBatch: stage("cancel context"),
  SessionStart: stage("cancel context", {
    matches: "source",
    values: spelt("startup resume clear compact fork"),
    aliases: spelt("agentSpawn"),
  }),
  SubagentStart: stage("context", { matches: "agent_type" }),
  UserPromptSubmit: stage("cancel context patch", {
    patchable: ["prompt"],
    aliases: spelt("BeforeAgent userPromptSubmitted beforeSubmitPrompt chat.message"),
  }),
  PreCompact: stage("cancel context", {
    matches: "trigger",
    values: spelt("manual auto"),
    aliases: spelt("PreCompress"),
  }),
  Stop: stage("cancel", { aliases: spelt("AfterAgent agentStop") }),
  SubagentStop: stage("cancel", { matches: "agent_type" }),
  "memory.save": hostStage(),

  PreSkillShellCommand: refusable("tool"),
  PreModelSwitch: refusable("to_model"),
  UserPromptExpansion: refusable("command_name"),
  Elicitation: refusable("mcp_server_name"),
  ElicitationResult: refusable("mcp_server_name"),
  TeammateIdle: refusable(),
  TaskCompleted: refusable(),
  TodoCreated: refusable(),
  TodoCompleted: refusable(),
  BeforeModel: refusable(),
  AfterModel: refusable(),
  PreMcpToolCall: refusable(),
  BeforeShellExecution: refusable(),
  BeforeMCPExecution: refusable(),
  BeforeReadFile: refusable(),

  SessionEnd: notice("reason", {
    values: spelt("clear exit logout prompt_input_exit other"),
    defaultTimeoutMs: 1_000,
    aliases: spelt("SessionShutdown"),
  }),
  Notification: notice("notification_type"),
  PostCompact: notice("trigger", { values: spelt("manual auto") }),
  StopFailure: notice("error"),
  PermissionDenied: notice("tool"),
  InstructionsLoaded: notice("load_reason", {
    values: spelt("session_start nested_traversal path_glob_match include compact"),
  }),
  Interrupt: notice(),
  Setup: notice("trigger", { values: spelt("init maintenance") }),
  PostModelSwitch: notice("to_model"),
  TaskCreated: notice(),
  ConfigChange: notice("source"),
  CwdChanged: notice(),
  FileChanged: notice("file_path"),
  DirectoryAdded: notice(),
  WorktreeCreate: notice(),
  WorktreeRemove: notice(),
  MessageDisplay: notice(),
  SessionDelete: notice(),
  PreModelRequest: notice(),
  PostModelRequest: notice(),
  BeforeToolSelection: notice(),
  ErrorOccurred: notice(),
  AfterShellExecution: notice(),
  AfterMCPExecution: notice(),
  AfterFileEdit: notice(),
  AfterAgentResponse: notice(),
  AfterAgentThought: notice(),
  TaskStart: notice(),
  TaskResume: notice(),
  TaskCancel: notice(),
  TaskComplete: notice(),
  TaskError: notice(),
  "chat.params": notice(),
  "shell.env": notice(),
  "tool.definition": notice(),
  "turn.completed": notice(),
  "turn.failed": notice(),
  "cron.fired": notice(),
  "cron.failed": notice(),
  "message.silent": notice(),
  "chat.created": notice(),
  "chat.compacted": notice(),
  "chat.reaped": notice(),
  "memory.saved": notice(),
  "memory.forgotten": notice(),
  "module.attached": notice(),
  "module.detached": notice(),
  "mcp.server_down": notice(),
  "mcp.server_up": notice(),
  "broken.set": notice(),
  "broken.cleared": notice(),
  "spend.day": notice(),
  "person.created": notice(),
};

/** `custom.<name>` and `skill.<name>`: told by packages and by Eva. */
export const OPEN_NOTICE: EventRow = notice();
/** A stage that a host declares: its `payload` is the host's, and so is what a patch of it means. */
export const OPEN_STAGE: EventRow = hostStage();

function stage(may: string, more: Partial<EventRow> = {}): EventRow {
  const rights = may.split(" ") as May[]; // written out above
  return {
    kind: "stage",
    may: rights,
    defaultMay: rights.filter((right) => right === "cancel" || right === "context"),
    matches: null,
    values: [],
    patchable: [],
    defaultTimeoutMs: STAGE_TIMEOUT_MS,
    aliases: [],
    ...more,
  };
}

function hostStage(): EventRow {
  return stage("cancel ask patch context", { defaultMay: ["cancel"], patchable: ["payload"] });
}

function notice(matches: MatchSubject = null, more: Partial<EventRow> = {}): EventRow {
  return {
    kind: "notice",
    may: [],
    defaultMay: [],
    matches,
    values: [],
    patchable: [],
    defaultTimeoutMs: NOTICE_TIMEOUT_MS,
    aliases: [],
    ...more,
  };
}

function spelt(names: string): readonly string[] {
  return names.split(" ");
}
