import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { HIDDEN, powerless, refusedFor, UNPATCHABLE, unreplaced, unsaid } from "../hook-output.ts";
import { asRecord, eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, personText, reasonOr, refusal, said, unasked } from "../reply.ts";

/** Its names of the events that others share; several of its own are one of ours. */
const EVENTS: Readonly<Record<string, EventName>> = {
  preToolUse: "PreToolUse",
  beforeShellExecution: "PreToolUse",
  beforeMCPExecution: "PreToolUse",
  beforeReadFile: "PreToolUse",
  postToolUse: "PostToolUse",
  afterShellExecution: "PostToolUse",
  afterMCPExecution: "PostToolUse",
  afterFileEdit: "PostToolUse",
  postToolUseFailure: "PostToolUseFailure",
  beforeSubmitPrompt: "UserPromptSubmit",
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  subagentStart: "SubagentStart",
  subagentStop: "SubagentStop",
  preCompact: "PreCompact",
  stop: "Stop",
};

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PostToolUse: afterTool,
  PostToolUseFailure: told,
  UserPromptSubmit: prompt,
  SessionStart: started,
  SubagentStart: agentStart,
  PreCompact: told,
  Stop: stopping,
  SubagentStop: stopping,
};

/** Cursor, by its documents. A hook that fails or is too slow lets the call pass, unless its entry says `failClosed`: ours does. */
export const cursor: HostAdapter = {
  name: "cursor",
  projectVariable: "CURSOR_PROJECT_DIR",
  ceilingMs: 55_000,
  markers: ["CURSOR_AGENT"],
  version: ({ raw }) => raw.cursor_version,
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const ours = Object.values(EVENTS).find((one) => one === name);
    const event = Object.hasOwn(EVENTS, name) ? EVENTS[name] : ours;
    return event ? served("cursor", event, shared(raw, name), cursorCall) : unserved("cursor", name, raw);
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse(event, reason) {
    const reply = refusal(event, reason);
    if (reply.exit !== 2) return reply;
    const words = reply.stderr.trim();
    return { ...reply, stdout: `${JSON.stringify({ permission: "deny", continue: false, ...bothTold(words) })}\n` };
  },
};

/** The fields that hosts share, under their names; its older events each have a call of another form. */
function shared(raw: HostObject, name: string): HostObject {
  const [root] = Array.isArray(raw.workspace_roots) ? raw.workspace_roots : [];
  const session = raw.session_id ?? raw.conversation_id;
  return {
    ...raw,
    cwd: typeof raw.cwd === "string" && raw.cwd !== "" ? raw.cwd : root,
    ...(session === undefined ? {} : { session_id: session }),
    ...callOf(raw, name),
  };
}

function callOf(raw: HostObject, name: string): HostObject {
  if (name.endsWith("ShellExecution"))
    return { tool_name: "Shell", tool_input: { command: raw.command }, tool_response: raw.output };
  if (name === "beforeReadFile") return { tool_name: "Read", tool_input: { file_path: raw.file_path } };
  if (name === "afterFileEdit")
    return { tool_name: "MultiEdit", tool_input: { file_path: raw.file_path, edits: raw.edits } };
  const result = raw.tool_output ?? raw.result_json ?? raw.error_message;
  return {
    ...(raw.tool_input === undefined ? {} : { tool_input: parsedText(raw.tool_input) }),
    ...(result === undefined ? {} : { tool_response: parsedText(result) }),
  };
}

/** Inputs and results of MCP are JSON in a text; what is none is the text that it is. */
function parsedText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const inner: unknown = JSON.parse(value);
    return typeof inner === "object" && inner !== null ? inner : value;
  } catch {
    return value;
  }
}

function cursorCall(name: string, input: HostObject): ToolReading {
  return { tool: canonicalTool(name, "cursor"), input };
}

function lines(decision: Decision, ...more: string[]): { user_message?: string } {
  const text = personText([...decision.person, ...more]);
  return text === undefined ? {} : { user_message: text };
}

function bothTold(reason: string) {
  return { user_message: reason, agent_message: reason };
}

/** Its documents say that preToolUse takes an ask and does not ask: there it is a refusal. */
function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return said({ permission: "deny", ...bothTold(refused), ...lines(decision, refused) });
  const patch = asRecord(decision.patch?.tool_input);
  const isGeneral = event.hostEventName === "preToolUse" || event.hostEventName === "PreToolUse";
  const raw = asRecord(event.raw.tool_input);
  if (decision.patch?.tool_input !== undefined && !(isGeneral && patch && raw))
    return said({ permission: "deny", ...bothTold(UNPATCHABLE) });
  if (decision.decision === "ask")
    return isGeneral || event.hostEventName === "beforeReadFile"
      ? said({ permission: "deny", ...bothTold(unasked(decision)) })
      : said({ permission: "ask", ...bothTold(reasonOr(decision.reason, "a hook asks")) });
  const rewritten = patch && raw ? { updated_input: { ...raw, ...patch } } : {};
  const allowed = decision.decision === "allow" || patch ? { permission: "allow" } : {};
  return said({ ...allowed, ...rewritten, ...lines(decision, ...unsaid(event, decision)) });
}

/** Only the result of an MCP tool can be another. */
function afterTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  const wanted = decision.patch?.tool_response;
  const isMcp = /^(?:mcp__|MCP:)/.test(String(event.raw.tool_name)) && event.hostEventName === "postToolUse";
  const replaced = refused === undefined ? wanted : `${refused} ${HIDDEN}`;
  const output =
    isMcp && replaced !== undefined ? { updated_mcp_tool_output: asRecord(replaced) ?? { text: replaced } } : {};
  const words = [isMcp ? undefined : refused, decision.context].filter((text) => text !== undefined && text !== "");
  const context = words.length === 0 ? {} : { additional_context: words.join("\n\n") };
  return said({
    ...output,
    ...context,
    ...lines(decision, ...(isMcp ? [] : [...powerless(event, decision), ...unreplaced(event, decision)])),
  });
}

function told(event: HostEvent, decision: Decision): HostReply {
  return said(lines(decision, ...powerless(event, decision), ...unsaid(event, decision)));
}

function prompt(event: HostEvent, decision: Decision): HostReply {
  const rewritten = decision.patch?.prompt === undefined ? undefined : "a hook rewrote this prompt, which was not sent";
  const refused = refusedFor(decision) ?? rewritten;
  if (refused !== undefined) return said({ continue: false, user_message: refused });
  return said(lines(decision, ...unsaid(event, decision)));
}

function started(event: HostEvent, decision: Decision): HostReply {
  const context = decision.context ? { additional_context: decision.context } : {};
  return said({ ...context, ...lines(decision, ...powerless(event, decision)) });
}

function agentStart(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return said({ permission: "deny", user_message: refused });
  return said(lines(decision, ...unsaid(event, decision)));
}

function stopping(_: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason === undefined || decision.decision === "end") return said(lines(decision));
  return said({ followup_message: reason });
}
