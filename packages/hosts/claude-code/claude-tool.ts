import type { Decision } from "@hookpkg/spec";
import type { HostEvent, HostReply } from "../adapter.ts";
import { context, HIDDEN, message, nested, refusedFor, UNPATCHABLE } from "../hook-output.ts";
import { asRecord, BARE } from "../host-input.ts";
import { reasonOr, said } from "../reply.ts";
import { claudeResult, hiddenResult } from "./claude-result.ts";

/** Before a call, of the agent or of a skill: here only a call can be rewritten. */
export function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(event, refused, decision);
  if (decision.decision === "ask" && event.raw.permission_mode === UNASKED)
    return denied(event, `${NOBODY_ASKED}: ${reasonOr(decision.reason, "a hook asks")}`, decision);
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

/** In this mode a hook's question gives way to Claude Code's own about its settings, git's and the shell's, and that one is never put. */
const UNASKED = "bypassPermissions";
const NOBODY_ASKED = "approval was needed, and Claude Code does not ask for all of it while it bypasses permissions";

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
export function afterTool(event: HostEvent, decision: Decision): HostReply {
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
export function afterFailure(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  const hidden = reason !== undefined || decision.patch?.error !== undefined;
  const note = hidden ? ["hookpkg: claude-code shows the model the text of a failed call, whatever a hook says"] : [];
  const words = [reason, decision.context].filter((text) => text !== undefined && text !== "").join("\n\n");
  const output = words === "" ? {} : { additionalContext: words };
  const block = reason === undefined ? {} : { decision: "block", reason };
  return said({ ...block, ...message(decision, ...note), ...nested(event.hostEventName, output) });
}

/** Nothing is sent to the model after a refused batch: the run ends. */
export function afterBatch(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason !== undefined)
    return said({ decision: "block", reason, continue: false, stopReason: reason, ...message(decision) });
  return said({ ...message(decision), ...nested(event.hostEventName, context(decision)) });
}
