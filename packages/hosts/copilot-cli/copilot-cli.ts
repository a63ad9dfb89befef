import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { type CallKeys, hookKeys, hostKeys } from "../call-keys.ts";
import { refuse as fault } from "../faults.ts";
import { HIDDEN, message, powerless, refusedFor, resultText, UNPATCHABLE, unsaid } from "../hook-output.ts";
import { eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, reasonOr, refusal, said } from "../reply.ts";
import { copilotEvent, EVENTS } from "./copilot-event.ts";
import { denial, denialOf } from "./denial.ts";

const KEYS: CallKeys = {
  Write: { path: "file_path", file_text: "content" },
  Edit: { path: "file_path", old_str: "old_string", new_str: "new_string" },
  Read: { path: "file_path" },
};
const SERVED = Object.values(EVENTS);

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: afterTool,
  PostToolUseFailure: told,
  UserPromptSubmit: prompt,
  SessionStart: told,
  SubagentStart: told,
  Stop: stopping,
  SubagentStop: stopping,
  PreCompact: told,
};

/**
 * GitHub Copilot CLI 1.0.102. A hook that fails refuses the call, one that is too slow lets it run; the reason is read from stdout only.
 */
export const copilotCli: HostAdapter = {
  name: "copilot-cli",
  projectVariable: "COPILOT_PROJECT_DIR",
  ceilingMs: 25_000,
  markers: ["COPILOT_CLI"],
  read(input) {
    const given = hostObject(input);
    const raw = copilotEvent(given);
    if (!raw) throw fault("E_HOST_EVENT_NAME", { found: "undefined" });
    const name = eventName(raw);
    const event = Object.hasOwn(EVENTS, name) ? EVENTS[name] : SERVED.find((one) => one === name);
    return event ? served("copilot-cli", event, raw, copilotCall) : unserved("copilot-cli", name, raw);
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse(event, reason) {
    const reply = refusal(event, reason);
    if (reply.exit !== 2) return reply;
    return said(denialOf(reply.stderr.trim(), event.name));
  },
};

function copilotCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name, "copilot");
  return { tool, input: hookKeys(KEYS, tool, input) };
}

/** In the camelCase spelling the answer stands at the top, in the other under the event's name. */
function placed(event: HostEvent, output: object): object {
  if (Object.keys(output).length === 0) return {};
  const isNested = /^[A-Z]/.test(event.hostEventName);
  return isNested ? { hookSpecificOutput: { hookEventName: event.hostEventName, ...output } } : output;
}

/** At the top in both spellings, but for a call's. */
function contextOf(decision: Decision): object {
  return decision.context ? { additionalContext: decision.context } : {};
}

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return denied(event, refused, decision);
  const patch = decision.patch?.tool_input;
  const args =
    patch === undefined || event.event === null
      ? undefined
      : hostKeys(KEYS, event.payload.tool_name ?? "", event.raw.tool_input, patch);
  if (patch !== undefined && args === undefined) return denied(event, UNPATCHABLE, decision);
  const otherwise = decision.decision === "ask" ? "a hook asks" : "allowed by a hook";
  const verdict =
    decision.decision === "ask" || decision.decision === "allow"
      ? { permissionDecision: decision.decision, permissionDecisionReason: reasonOr(decision.reason, otherwise) }
      : {};
  const rewritten =
    args === undefined ? {} : { [/^[A-Z]/.test(event.hostEventName) ? "updatedInput" : "modifiedArgs"]: args };
  return said({ ...message(decision), ...placed(event, { ...verdict, ...rewritten, ...contextOf(decision) }) });
}

function denied(event: HostEvent, reason: string, decision: Decision): HostReply {
  const output = { permissionDecision: "deny", permissionDecisionReason: reason, ...contextOf(decision) };
  return said({ ...message(decision), ...placed(event, output) });
}

/** The event comes in camelCase whatever the settings say; the answer is given in both forms. */
function permission(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  const verdict =
    refused !== undefined ? denial(refused) : decision.decision === "allow" ? { behavior: "allow" } : undefined;
  if (verdict === undefined) return said(message(decision));
  const hookSpecificOutput = { hookEventName: "PermissionRequest", decision: verdict };
  return said({ ...verdict, ...message(decision), hookSpecificOutput });
}

/** With a block it reads no context. */
function afterTool(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) {
    const reason = [`${refused} ${HIDDEN}`, ...(decision.context ? [decision.context] : [])].join("\n\n");
    return said({ decision: "block", reason, ...message(decision) });
  }
  const wanted = decision.patch?.tool_response;
  const modifiedResult =
    wanted === undefined ? undefined : { resultType: "success", textResultForLlm: resultText(wanted) };
  return said({ ...(modifiedResult ? { modifiedResult } : {}), ...message(decision), ...contextOf(decision) });
}

/** A prompt that is blocked ends the program with 1. */
function prompt(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return said({ decision: "block", reason: refused, ...message(decision) });
  const wanted = decision.patch?.prompt;
  const rewritten = wanted === undefined ? {} : { modifiedPrompt: String(wanted) };
  return said({ ...rewritten, ...message(decision), ...contextOf(decision) });
}

function told(event: HostEvent, decision: Decision): HostReply {
  const isContext = event.event !== "PreCompact" && event.event !== "SubagentStart";
  const notes = [...powerless(event, decision), ...(isContext ? [] : unsaid(event, decision))];
  return said({ ...message(decision, ...notes), ...(isContext ? contextOf(decision) : {}) });
}

function stopping(_: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason === undefined) return said(message(decision));
  return decision.decision === "end"
    ? said({ ...message(decision, reason) })
    : said({ decision: "block", reason, ...message(decision) });
}
