import { canonicalTool, type Decision, type EventName, eventRow } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { refuse } from "../faults.ts";
import { HIDDEN, refusedFor, resultText, UNPATCHABLE, unsaid } from "../hook-output.ts";
import { asRecord, eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { personText, reasonOr, refusal, said, unasked } from "../reply.ts";
import { evaEvent } from "./stage.ts";

/**
 * Eva's middleware, one `middleware/handle` at a time: `{hook_event_name: stage, session_id, cwd, payload}` in, and Eva's decision as a
 * line of JSON out (`continue`, `cancel` with a reason, `patch` with the whole payload). The bridge carries both.
 */
export const eva: HostAdapter = {
  name: "eva",
  markers: [],
  read(input) {
    const raw = hostObject(input);
    const stage = eventName(raw);
    const event = evaEvent(stage);
    if (event === undefined) return unserved("eva", stage, raw);
    const read = served("eva", event, { ...canonical(event, raw), hook_event_name: stage }, evaCall);
    return { ...read, raw };
  },
  write: (event, decision) => ({ ...answer(event, decision), stderr: told(event, decision) }),
  refuse(event, reason) {
    const { exit } = refusal(event, reason);
    return exit === 0 ? CONTINUE : cancel(reasonOr(reason, "hookpkg could not judge this"));
  },
};

const CONTINUE = said({ decision: "continue" });

/** Fields of ours that Eva's payload cannot set, whatever it holds under these names. */
function canonical(event: EventName, raw: HostObject): HostObject {
  const { session_id, cwd } = raw;
  if (event !== "PreToolUse" && event !== "PostToolUse") return { session_id, cwd, payload: raw.payload };
  const { name, input = {}, ...rest } = payloadOf(raw);
  const result = event === "PostToolUse" ? { tool_response: rest[resultKey(rest)] } : {};
  return { ...plainOnly(rest), session_id, cwd, tool_name: name, tool_input: input, ...result };
}

function payloadOf(raw: HostObject): HostObject {
  const payload = asRecord(raw.payload);
  if (!payload) throw refuse("E_HOST_FIELD", { path: "payload" });
  return payload;
}

/** Names that mean something in our own payloads: of another type there, they would make a call that is well unreadable. */
const TEXTS = new Set(["permission_mode", "turn_id", "prompt_id", "agent_id", "agent_type", "model", "tool_use_id"]);
const OURS = new Set(["hook_event_name", "transcript_path", "tool_name", "tool_input", "tool_response", "duration_ms"]);
const MAX_TEXT = 100;

function plainOnly(rest: HostObject): HostObject {
  const isKept = ([key, value]: [string, unknown]) =>
    !OURS.has(key) && (!TEXTS.has(key) || (typeof value === "string" && value.length <= MAX_TEXT));
  return Object.fromEntries(Object.entries(rest).filter(isKept));
}

/** The seed does not name the field: what stands there of these, in this order. */
const RESULTS = ["output", "result", "content"] as const;

function resultKey(payload: HostObject): string {
  return RESULTS.find((key) => Object.hasOwn(payload, key)) ?? RESULTS[0];
}

function evaCall(name: string, input: HostObject): ToolReading {
  return { tool: canonicalTool(name, "eva"), input };
}

/** There is no field beside the decision: what a hook says to the model of a result is a patch that keeps the result. */
function answer(event: HostEvent, decision: Decision): HostReply {
  if (event.event === null || eventRow(event.event).kind === "notice") return CONTINUE;
  const isResult = event.event === "PostToolUse";
  const refused = refusedFor(decision);
  if (refused !== undefined) return cancel(isResult ? `${refused} ${HIDDEN}` : refused);
  if (decision.decision === "ask") return cancel(unasked(decision));
  if (isResult) return result(payloadOf(event.raw), decision);
  const name = event.event === "PreToolUse" ? "tool_input" : "payload";
  const patched = decision.patch?.[name];
  if (patched === undefined) return CONTINUE;
  if (name === "payload") return patch(event.raw.payload, patched);
  const input = asRecord(patched);
  if (!input) return cancel(UNPATCHABLE);
  const { changes: _, ...fields } = input; // ours, read from the patch
  return patch(event.raw.payload, { input: event.payload?.tool_name === "apply_patch" ? fields : input });
}

/** For the person: the bridge says it where they can see it. */
function told(event: HostEvent, decision: Decision): string {
  const lost = event.event === "PostToolUse" ? [] : unsaid(event, decision);
  const text = personText([...decision.person, ...lost]);
  return text === undefined ? "" : `${text}\n`;
}

function result(payload: HostObject, { patch: patched, context }: Decision): HostReply {
  const key = resultKey(payload);
  const wanted = patched?.tool_response ?? payload[key];
  if (context) return patch(payload, { [key]: `${wanted === undefined ? "" : `${resultText(wanted)}\n\n`}${context}` });
  return patched?.tool_response === undefined ? CONTINUE : patch(payload, { [key]: wanted });
}

function cancel(reason: string): HostReply {
  return said({ decision: "cancel", reason });
}

/** Fields that the patch does not set stay as they came. */
function patch(payload: unknown, fields: unknown): HostReply {
  const [before, set] = [asRecord(payload), asRecord(fields)];
  return said({ decision: "patch", payload: before && set ? { ...before, ...set } : fields });
}
