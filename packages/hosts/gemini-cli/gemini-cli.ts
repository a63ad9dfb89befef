import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import {
  context,
  HIDDEN,
  message,
  nested,
  powerless,
  prompt,
  refusedFor,
  resultText,
  stopping,
  UNPATCHABLE,
  unsaid,
} from "../hook-output.ts";
import { asRecord, eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, reasonOr, refusal, said } from "../reply.ts";

/** Its names of the events that others share. */
const EVENTS: Readonly<Record<string, EventName>> = {
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  PreCompress: "PreCompact",
  SessionStart: "SessionStart",
  SessionEnd: "SessionEnd",
  Notification: "Notification",
  BeforeModel: "BeforeModel",
  AfterModel: "AfterModel",
  BeforeToolSelection: "BeforeToolSelection",
};

/** Ours are read as well: whoever tries an entry by hand uses them. */
const SERVED = Object.values(EVENTS);

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PostToolUse: afterTool,
  UserPromptSubmit: prompt,
  Stop: stopping,
  SessionStart: sessionStart,
  PreCompact: advisory,
  BeforeModel: refusable,
  AfterModel: refusable,
};

/**
 * Gemini CLI 0.61. Only a `decision` at the top stops anything; `permissionDecision` is not read. What stands on stdout counts
 * more than the exit code, and stderr is read when stdout is empty.
 */
export const geminiCli: HostAdapter = {
  name: "gemini-cli",
  projectVariable: "GEMINI_PROJECT_DIR",
  ceilingMs: 55_000,
  markers: ["GEMINI_CLI", "GEMINI_SESSION_ID"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = Object.hasOwn(EVENTS, name) ? EVENTS[name] : SERVED.find((one) => one === name);
    return event
      ? served("gemini-cli", event, withLastMessage(raw, event), geminiCall)
      : unserved("gemini-cli", name, raw);
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse: (event, reason) => refusal(event, reason),
};

function geminiCall(name: string, input: HostObject): ToolReading {
  return { tool: canonicalTool(name, "gemini"), input };
}

/** What the model said last is called `prompt_response` here. */
function withLastMessage(raw: HostObject, event: EventName): HostObject {
  return event === "Stop" && raw.last_assistant_message === undefined && typeof raw.prompt_response === "string"
    ? { ...raw, last_assistant_message: raw.prompt_response }
    : raw;
}

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(refused, decision);
  if (decision.decision === "ask")
    return said({ decision: "ask", reason: reasonOr(decision.reason, "a hook asks"), ...message(decision) });
  const patch = decision.patch?.tool_input;
  const toolInput = patch === undefined ? undefined : geminiInput(event, patch);
  if (patch !== undefined && toolInput === undefined) return denied(UNPATCHABLE, decision);
  const output = toolInput === undefined ? {} : { tool_input: toolInput };
  return said({ ...message(decision, ...unsaid(event, decision)), ...nested("BeforeTool", output) });
}

function denied(reason: string, decision: Decision): HostReply {
  return said({ decision: "deny", reason, ...message(decision) });
}

/** In full: its documents say that it merges, its code replaces. */
function geminiInput(event: HostEvent, patch: unknown): HostObject | undefined {
  const [shape, raw] = [asRecord(patch), asRecord(event.raw.tool_input)];
  return shape && raw ? { ...raw, ...shape } : undefined;
}

/** A refused result reaches the model as an error that is the reason: the one way to another result, too. */
function afterTool(_: HostEvent, decision: Decision): HostReply {
  const after = nested("AfterTool", context(decision));
  const refused = refusedFor(decision);
  if (refused !== undefined)
    return said({ decision: "deny", reason: `${refused} ${HIDDEN}`, ...message(decision), ...after });
  const result = decision.patch?.tool_response;
  if (result === undefined) return said({ ...message(decision), ...after });
  return said({
    decision: "deny",
    reason: reasonOr(resultText(result), "(no output)"),
    ...message(decision),
    ...after,
  });
}

/** Nothing ends a session here: the person hears what a hook wanted. */
function sessionStart(event: HostEvent, decision: Decision): HostReply {
  return said({ ...message(decision, ...powerless(event, decision)), ...nested("SessionStart", context(decision)) });
}

function advisory(event: HostEvent, decision: Decision): HostReply {
  return said(message(decision, ...powerless(event, decision), ...unsaid(event, decision)));
}

function refusable(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  return refused === undefined ? said(message(decision)) : denied(refused, decision);
}
