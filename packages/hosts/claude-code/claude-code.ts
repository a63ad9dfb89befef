import { canonicalTool, type Decision } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { asRecord, BARE, eventName, hostObject, served, unserved } from "../host-input.ts";
import { PASS, reasonOr, refusal, said } from "../reply.ts";
import { context, HIDDEN, message, nested, UNPATCHABLE } from "../shared-output.ts";
import { claudeResult, hiddenResult } from "./claude-result.ts";

const SERVED = ["PreToolUse", "PostToolUse", "SessionEnd"] as const;

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
  write(event, decision) {
    if (event.event === "PreToolUse") return beforeTool(event, decision);
    if (event.event === "PostToolUse") return afterTool(event, decision);
    return PASS;
  },
  refuse: (event, reason) => refusal(event, reason),
};

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  if (decision.decision === "cancel" || decision.decision === "end")
    return denied(reasonOr(decision.reason, "refused by a hook"), decision);
  const patch = decision.patch?.tool_input;
  const updatedInput = patch === undefined ? undefined : claudeInput(event, patch);
  if (patch !== undefined && updatedInput === undefined) return denied(UNPATCHABLE, decision);
  const output = {
    ...verdict(decision),
    ...(updatedInput === undefined ? {} : { updatedInput }),
    ...context(decision),
  };
  return said({ ...message(decision), ...nested("PreToolUse", output) });
}

function denied(reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason, ...context(decision) };
  return said({ decision: "block", reason, ...message(decision), ...nested("PreToolUse", output) });
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
  if (decision.decision === "cancel" || decision.decision === "end") {
    const reason = `${reasonOr(decision.reason, "refused by a hook")} ${HIDDEN}`;
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
