import type { Decision } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { eventName, hostObject, served, unserved } from "../host-input.ts";
import { PASS, reasonOr, refusal, said } from "../reply.ts";
import { context, HIDDEN, message, nested, UNPATCHABLE } from "../shared-output.ts";
import { codexCall, codexInput } from "./codex-call.ts";

const SERVED = ["PreToolUse", "PostToolUse", "SessionEnd"] as const;

/**
 * Codex CLI 0.171. Its answers are closed schemas: one unknown field, a missing event name, an empty reason or a verdict that it doesn't
 * support voids the whole answer, and the action goes on.
 */
export const codex: HostAdapter = {
  name: "codex",
  // Codex names itself to hooks by no variable; these it sets for the commands of its tools.
  markers: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = SERVED.find((one) => one === name);
    return event ? served("codex", event, raw, codexCall) : unserved("codex", name, raw);
  },
  write(event, decision) {
    if (event.event === "PreToolUse") return beforeTool(event, decision);
    if (event.event === "PostToolUse") return afterTool(decision);
    return PASS;
  },
  refuse: (event, reason) => refusal(event, reason),
};

/** It can't ask (the hook would count as broken), and takes an allow only as the wrapping of a rewrite. */
function beforeTool(event: HostEvent, decision: Decision): HostReply {
  if (decision.decision === "cancel" || decision.decision === "end")
    return denied(reasonOr(decision.reason, "refused by a hook"), decision);
  if (decision.decision === "ask")
    return denied(
      `approval was needed and cannot be asked for here: ${reasonOr(decision.reason, "a hook asks")}`,
      decision,
    );
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
function afterTool(decision: Decision): HostReply {
  const after = nested("PostToolUse", context(decision));
  const cancelled = decision.decision === "cancel" || decision.decision === "end";
  if (cancelled) {
    const reason = `${reasonOr(decision.reason, "refused by a hook")} ${HIDDEN}`;
    return said({ decision: "block", reason, ...message(decision), ...after });
  }
  if (decision.patch?.tool_response === undefined) return said({ ...message(decision), ...after });
  const result = decision.patch.tool_response;
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return said({ decision: "block", reason: reasonOr(text, "(no output)"), ...message(decision), ...after });
}
