import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import {
  context,
  message,
  nested,
  powerless,
  refusedFor,
  stopping,
  UNPATCHABLE,
  unreplaced,
  unsaid,
} from "../hook-output.ts";
import { asRecord, eventName, type HostObject, hostObject, served, unserved } from "../host-input.ts";
import { PASS, refusal, said, unasked } from "../reply.ts";

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: observed,
  PostToolUseFailure: observed,
  PostToolBatch: observed,
  UserPromptSubmit: prompt,
  SessionStart: started,
  Stop: stopping,
  SubagentStart: observed,
  SubagentStop: observed,
  PreCompact: observed,
};
const NOTICES: readonly EventName[] = [
  "InstructionsLoaded",
  "Notification",
  "StopFailure",
  "PostCompact",
  "SessionEnd",
];
const SERVED = [...(Object.keys(WRITERS) as EventName[]), ...NOTICES]; // keys of the literal above

/**
 * Peri, by its source. It reads Claude Code's settings and starts Claude Code's entries. At three events only it reads what stands under
 * the event's name. With exit 2 the reason is stdout's, then stderr's.
 */
export const peri: HostAdapter = {
  name: "peri",
  projectVariable: "CLAUDE_PROJECT_DIR",
  markers: ["CLAUDE_HOOK_EVENT_NAME"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = SERVED.find((one) => one === name);
    if (!event) return unserved("peri", name, raw);
    return served("peri", event, withResult(raw), (tool, shape) => ({
      tool: canonicalTool(tool, "peri"),
      input: shape,
    }));
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse: refusal,
};

/** The result is `tool_output` here. */
function withResult(raw: HostObject): HostObject {
  return raw.tool_response === undefined && raw.tool_output !== undefined
    ? { ...raw, tool_response: raw.tool_output }
    : raw;
}

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(refused, decision);
  // Older versions know no ask and let the call pass.
  if (decision.decision === "ask") return denied(unasked(decision), decision);
  const patch = asRecord(decision.patch?.tool_input);
  const raw = asRecord(event.raw.tool_input);
  if (decision.patch?.tool_input !== undefined && !(patch && raw)) return denied(UNPATCHABLE, decision);
  const updated = patch ? { permissionDecision: "allow", updatedInput: { ...raw, ...patch } } : {};
  return said({ ...message(decision), ...nested("PreToolUse", { ...updated, ...context(decision) }) });
}

function denied(reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason, ...context(decision) };
  return said({ decision: "block", reason, ...message(decision), ...nested("PreToolUse", output) });
}

function permission(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason === undefined) return said(message(decision));
  const verdict = { decision: { behavior: "deny", message: reason } };
  return said({ decision: "block", reason, ...message(decision), ...nested(event.hostEventName, verdict) });
}

function prompt(event: HostEvent, decision: Decision): HostReply {
  const rewritten = decision.patch?.prompt === undefined ? undefined : "a hook rewrote this prompt, which was not sent";
  const reason = refusedFor(decision) ?? rewritten;
  if (reason !== undefined) return said({ decision: "block", reason, ...message(decision) });
  return said({ ...message(decision), ...nested(event.hostEventName, context(decision)) });
}

function started(event: HostEvent, decision: Decision): HostReply {
  return said({
    ...message(decision, ...powerless(event, decision)),
    ...nested(event.hostEventName, context(decision)),
  });
}

function observed(event: HostEvent, decision: Decision): HostReply {
  return said(
    message(decision, ...powerless(event, decision), ...unreplaced(event, decision), ...unsaid(event, decision)),
  );
}
