import type { Decision, EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
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
} from "../hook-output.ts";
import { eventName, hostObject, served, unserved } from "../host-input.ts";
import { ending, PASS, reasonOr, refusal, said, unasked } from "../reply.ts";
import { codexCall, codexInput } from "./codex-call.ts";

type Writer = (event: HostEvent, decision: Decision) => HostReply;
const notice: Writer = () => PASS;

/** Its events, and how each takes a decision. */
const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: afterTool,
  UserPromptSubmit: prompt,
  SessionStart: started,
  SubagentStart: started,
  Stop: stopping,
  SubagentStop: stopping,
  PreCompact: compaction,
  PostCompact: notice,
  SessionEnd: notice,
  Interrupt: notice,
  PreModelRequest: notice,
  PostModelRequest: notice,
};
const SERVED = Object.keys(WRITERS) as EventName[]; // keys of the literal above
/** Where it obeys no exit code. */
const ENDED = new Set(["SessionStart", "PreCompact"]);

/**
 * Codex CLI 0.171. Its answers are closed schemas: one unknown field, a missing event name, an empty reason or a verdict that it doesn't
 * support voids the whole answer, and the action goes on.
 */
export const codex: HostAdapter = {
  name: "codex",
  // Of 2,500 tokens, which it counts as four bytes each: of more it shows both ends, and keeps a file of its own.
  takes: { max: 9500, unit: "bytes" },
  // Codex names itself to hooks by no variable; these it sets for the commands of its tools.
  markers: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = SERVED.find((one) => one === name);
    return event ? served("codex", event, raw, codexCall) : unserved("codex", name, raw);
  },
  write: (event, decision) => (event.event ? (WRITERS[event.event] ?? notice)(event, decision) : PASS),
  refuse: (event, reason) => (ENDED.has(event.name ?? "") ? ending(reason) : refusal(event, reason)),
};

/** It can't ask (the hook would count as broken), and takes an allow only as the wrapping of a rewrite. */
function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(refused, decision);
  if (decision.decision === "ask") return denied(unasked(decision), decision);
  const patch = decision.patch?.tool_input;
  const updatedInput = patch === undefined ? undefined : codexInput(event, patch);
  if (patch !== undefined && updatedInput === undefined) return denied(UNPATCHABLE, decision);
  const output = {
    ...(updatedInput ? { permissionDecision: "allow", updatedInput } : {}),
    ...context(decision),
  };
  return said({ ...message(decision), ...nested("PreToolUse", output) });
}

function denied(reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason, ...context(decision) };
  return said({ decision: "block", reason, ...message(decision), ...nested("PreToolUse", output) });
}

/** The one way to another result is a block: the model then reads the reason in place of the result. */
function afterTool(_: HostEvent, decision: Decision): HostReply {
  const after = nested("PostToolUse", context(decision));
  const refused = refusedFor(decision);
  if (refused !== undefined)
    return said({ decision: "block", reason: `${refused} ${HIDDEN}`, ...message(decision), ...after });
  if (decision.patch?.tool_response === undefined) return said({ ...message(decision), ...after });
  const result = decision.patch.tool_response;
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return said({ decision: "block", reason: reasonOr(text, "(no output)"), ...message(decision), ...after });
}

function compaction(event: HostEvent, decision: Decision): HostReply {
  const stopReason = refusedFor(decision);
  const end = stopReason === undefined ? {} : { continue: false, stopReason };
  return said({ ...end, ...message(decision, ...unsaid(event, decision)) });
}
