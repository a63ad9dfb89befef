import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { asRecord, BARE, eventName, hostObject, served, unserved } from "../host-input.ts";
import { ending, PASS, reasonOr, refusal, said } from "../reply.ts";
import {
  context,
  HIDDEN,
  message,
  nested,
  permission,
  prompt,
  refusedFor,
  started,
  stopping,
  UNPATCHABLE,
  unsaid,
} from "../shared-output.ts";
import { claudeResult, hiddenResult } from "./claude-result.ts";

type Writer = (event: HostEvent, decision: Decision) => HostReply;

/** How each of its stages takes a decision. */
const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PreSkillShellCommand: beforeTool,
  PermissionRequest: permission,
  PostToolUse: afterTool,
  PostToolUseFailure: afterFailure,
  PostToolBatch: afterBatch,
  UserPromptSubmit: prompt,
  SessionStart: started,
  SubagentStart: started,
  Stop: stopping,
  SubagentStop: stopping,
  PreModelSwitch: modelSwitch,
  Elicitation: elicitation,
  ElicitationResult: elicitation,
  PreCompact: exitTwo,
  UserPromptExpansion: exitTwo,
  TeammateIdle: exitTwo,
  TaskCompleted: exitTwo,
};
const NOTICES: readonly EventName[] = [
  "PermissionDenied",
  "SessionEnd",
  "Setup",
  "StopFailure",
  "PostCompact",
  "PostModelSwitch",
  "Notification",
  "TaskCreated",
  "ConfigChange",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "WorktreeCreate",
  "WorktreeRemove",
  "MessageDisplay",
];
const SERVED = [...(Object.keys(WRITERS) as EventName[]), ...NOTICES]; // keys of the literal above

/**
 * Claude Code 2.1.332. Its tools are the canonical ones. `hookSpecificOutput` without the right event name is dropped, and a top-level
 * `decision: "deny"` voids the answer; both leave the action to go on.
 */
export const claudeCode: HostAdapter = {
  name: "claude-code",
  projectVariable: "CLAUDE_PROJECT_DIR",
  markers: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = SERVED.find((one) => one === name);
    if (!event) return unserved("claude-code", name, raw);
    return served("claude-code", event, raw, (tool, shape) => ({
      tool: canonicalTool(tool, "claude-code"),
      input: shape,
    }));
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  // A session's start obeys no exit code.
  refuse: (event, reason) => (event.name === "SessionStart" ? ending(reason) : refusal(event, reason)),
};

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(event, refused, decision);
  const patch = decision.patch?.tool_input;
  const updatedInput = patch === undefined ? undefined : claudeInput(event, patch);
  if (patch !== undefined && updatedInput === undefined) return denied(event, UNPATCHABLE, decision);
  const output = {
    ...verdict(decision),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...context(decision),
  };
  return said({ ...message(decision), ...nested(event.hostEventName, output) });
}

function denied(event: HostEvent, reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason, ...context(decision) };
  return said({ decision: "block", reason, ...message(decision), ...nested(event.hostEventName, output) });
}

/** Where nobody can be asked (`-p`), Claude Code itself makes a deny of an ask. */
function verdict(decision: Decision): object {
  if (decision.decision !== "ask" && decision.decision !== "allow") return {};
  const otherwise = decision.decision === "ask" ? "a hook asks" : "allowed by a hook";
  return { permissionDecision: decision.decision, permissionDecisionReason: reasonOr(decision.reason, otherwise) };
}

/** The patched call in full: it replaces the whole input. */
function claudeInput(event: HostEvent, patch: unknown): unknown {
  const shape = asRecord(patch);
  if (!shape) return undefined;
  const raw = asRecord(event.raw.tool_input);
  return raw ? { ...raw, ...shape } : shape[BARE];
}

/** A block alone leaves the result with the model and adds the reason; what must not be read is replaced as well. */
function afterTool(event: HostEvent, decision: Decision): HostReply {
  const before = event.raw.tool_response;
  const refused = refusedFor(decision);
  if (refused !== undefined) {
    const reason = `${refused} ${HIDDEN}`;
    const output = { updatedToolOutput: hiddenResult(before, reason), ...context(decision) };
    return said({ decision: "block", reason, ...message(decision), ...nested("PostToolUse", output) });
  }
  const wanted = decision.patch?.tool_response;
  const output = {
    ...(wanted === undefined ? {} : { updatedToolOutput: claudeResult(before, wanted) }),
    ...context(decision),
  };
  return said({ ...message(decision), ...nested("PostToolUse", output) });
}

/** The text of a failed call stays with the model whatever a hook says; reason and context come beside it. */
function afterFailure(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  const hidden = reason !== undefined || decision.patch?.error !== undefined;
  const note = hidden ? ["hookpkg: claude-code shows the model the text of a failed call, whatever a hook says"] : [];
  const words = [reason, decision.context].filter((text) => text !== undefined && text !== "").join("\n\n");
  const output = words === "" ? {} : { additionalContext: words };
  const block = reason === undefined ? {} : { decision: "block", reason };
  return said({ ...block, ...message(decision, ...note), ...nested(event.hostEventName, output) });
}

/** Nothing is sent to the model after a refused batch: the run ends. */
function afterBatch(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason !== undefined)
    return said({ decision: "block", reason, continue: false, stopReason: reason, ...message(decision) });
  return said({ ...message(decision), ...nested(event.hostEventName, context(decision)) });
}

function modelSwitch(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  const output = reason === undefined ? {} : { permissionDecision: "deny", permissionDecisionReason: reason };
  return said({ ...message(decision), ...nested(event.hostEventName, output) });
}

/** It takes no reason here: the person is told. */
function elicitation(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason === undefined) return said(message(decision));
  return said({ ...message(decision, reason), ...nested(event.hostEventName, { action: "decline" }) });
}

/** Events that can be blocked and have no field for it in common with the others. */
function exitTwo(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason !== undefined) return { exit: 2, stdout: "", stderr: `${reason}\n` };
  return said(message(decision, ...unsaid(event, decision)));
}
