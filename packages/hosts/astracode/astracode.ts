import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { type CallKeys, hookKeys } from "../call-keys.ts";
import { codex } from "../codex/codex.ts";
import { message, nested, refusedFor, UNPATCHABLE, unsaid } from "../hook-output.ts";
import { eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, said, unasked } from "../reply.ts";

const EVENTS: readonly EventName[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Stop",
];
const KEYS: CallKeys = { apply_patch: { command: "patch" }, Write: { path: "file_path" } };

/** AstraCode, a fork of an older Codex: what it takes is less, and anything else in an answer voids it and lets the action go on. */
export const astracode: HostAdapter = {
  name: "astracode",
  takes: { max: 9500, unit: "bytes" }, // as Codex
  markers: [],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = EVENTS.find((one) => one === name);
    return event ? served("astracode", event, raw, astraCall) : unserved("astracode", name, raw);
  },
  write(event, decision) {
    if (event.event === null) return PASS;
    return event.event === "PreToolUse" ? beforeTool(event, decision) : codex.write(event, decision);
  },
  refuse: codex.refuse,
};

function astraCall(name: string, input: HostObject): ToolReading {
  const known = canonicalTool(name, "astracode");
  const tool = known === name ? canonicalTool(name, "codex") : known;
  return { tool, input: hookKeys(KEYS, tool, input) };
}

/** A deny is all that it takes here. */
function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const asked = decision.decision === "ask" ? unasked(decision) : undefined;
  const unpatchable = decision.patch?.tool_input === undefined ? undefined : UNPATCHABLE;
  const reason = refusedFor(decision) ?? asked ?? unpatchable;
  if (reason === undefined) return said(message(decision, ...unsaid(event, decision)));
  const output = { permissionDecision: "deny", permissionDecisionReason: reason };
  return said({ ...message(decision, ...unsaid(event, decision)), ...nested("PreToolUse", output) });
}
