import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import {
  context,
  HIDDEN,
  message,
  nested,
  permission,
  powerless,
  prompt,
  refusedFor,
  resultText,
  stopping,
  UNPATCHABLE,
  unsaid,
} from "../hook-output.ts";
import { eventName, hostObject, served, unserved } from "../host-input.ts";
import { PASS, reasonOr, refusal, said } from "../reply.ts";

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: afterTool,
  PostToolUseFailure: afterFailure,
  PostToolBatch: stopRun,
  UserPromptSubmit: prompt,
  UserPromptExpansion: prompt,
  SessionStart: begun,
  SubagentStart: begun,
  Stop: stopping,
  SubagentStop: stopping,
  TodoCreated: refusable,
  TodoCompleted: refusable,
  PreCompact: advisory,
};
const NOTICES: readonly EventName[] = [
  "PermissionDenied",
  "SessionEnd",
  "SessionDelete",
  "StopFailure",
  "PostCompact",
  "Notification",
  "MessageDisplay",
  "InstructionsLoaded",
];
const SERVED = [...(Object.keys(WRITERS) as EventName[]), ...NOTICES]; // keys of the literal above

/**
 * Qwen Code 0.24.4. Of several hooks the last one's verdict counts, a deny included, unless the deny also says `continue: false`:
 * ours says both, and never an allow, which would lift what another hook denied.
 */
export const qwenCode: HostAdapter = {
  name: "qwen-code",
  projectVariable: "QWEN_PROJECT_DIR",
  ceilingMs: 50_000,
  markers: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
  version: (_, env) => env.QWEN_CODE_STARTUP_VERSION,
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = SERVED.find((one) => one === name);
    // Before each further request of a turn it tells of an empty prompt again, which nobody submitted.
    if (!event || (event === "UserPromptSubmit" && raw.prompt === "")) return unserved("qwen-code", name, raw);
    return served("qwen-code", event, raw, (tool, shape) => ({ tool: canonicalTool(tool, "qwen"), input: shape }));
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse: (event, reason) => lasting(refusal(event, reason)),
};

/** With exit 2 it reads JSON on stderr, and only that keeps the refusal through another hook's allow. */
function lasting(reply: HostReply): HostReply {
  if (reply.exit !== 2) return reply;
  const reason = reply.stderr.trim();
  return {
    ...reply,
    stderr: `${JSON.stringify({ decision: "block", reason, continue: false, stopReason: reason })}\n`,
  };
}

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(refused, decision);
  // It does not take a rewritten call: the call as it came must not run.
  if (decision.patch?.tool_input !== undefined) return denied(UNPATCHABLE, decision);
  if (decision.decision === "ask") {
    const output = { permissionDecision: "ask", permissionDecisionReason: reasonOr(decision.reason, "a hook asks") };
    return said({ ...message(decision, ...unsaid(event, decision)), ...nested("PreToolUse", output) });
  }
  const note =
    decision.decision === "allow" ? ["hookpkg: an allow would lift other hooks' refusals here: left out"] : [];
  return said(message(decision, ...note, ...unsaid(event, decision)));
}

function denied(reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason };
  const stop = { continue: false, stopReason: reason };
  return said({ decision: "block", reason, ...stop, ...message(decision), ...nested("PreToolUse", output) });
}

/** `continue: false` puts its reason in the result's place, and the turn goes on; a block is not heard. */
function afterTool(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  const wanted = decision.patch?.tool_response;
  const replaced =
    refused !== undefined ? `${refused} ${HIDDEN}` : wanted === undefined ? undefined : resultText(wanted);
  const stop = replaced === undefined ? {} : { continue: false, stopReason: reasonOr(replaced, "(no output)") };
  return said({ ...stop, ...message(decision), ...nested("PostToolUse", context(decision)) });
}

/** The text of a failed call stays with the model; reason and context come beside it. */
function afterFailure(event: HostEvent, decision: Decision): HostReply {
  const words = [refusedFor(decision), decision.context]
    .filter((text) => text !== undefined && text !== "")
    .join("\n\n");
  return said({
    ...message(decision),
    ...nested(event.hostEventName, words === "" ? {} : { additionalContext: words }),
  });
}

function stopRun(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  const stop = reason === undefined ? {} : { continue: false, stopReason: reason };
  return said({ ...stop, ...message(decision, ...unsaid(event, decision)) });
}

/** Nothing ends a session here: the person hears what a hook wanted. */
function begun(event: HostEvent, decision: Decision): HostReply {
  return said({
    ...message(decision, ...powerless(event, decision)),
    ...nested(event.hostEventName, context(decision)),
  });
}

function advisory(event: HostEvent, decision: Decision): HostReply {
  return said(message(decision, ...powerless(event, decision), ...unsaid(event, decision)));
}

function refusable(_: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  return reason === undefined ? said(message(decision)) : said({ decision: "block", reason, ...message(decision) });
}
