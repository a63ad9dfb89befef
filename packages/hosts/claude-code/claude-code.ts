import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { message, nested, permission, prompt, refusedFor, started, stopping, unsaid } from "../hook-output.ts";
import { eventName, hostObject, served, unserved } from "../host-input.ts";
import { ending, PASS, refusal, said } from "../reply.ts";
import { claudeCaller } from "./claude-caller.ts";
import { afterBatch, afterFailure, afterTool, beforeTool } from "./claude-tool.ts";

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
  // Of a text above 10,000 it shows 2 KB, and keeps a file of its own.
  takes: { max: 9500, unit: "characters" },
  projectVariable: "CLAUDE_PROJECT_DIR",
  markers: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PID"],
  caller: claudeCaller,
  version: (_, env) => env.AI_AGENT, // claude-code_2-1-332_harness
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
