import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { type CallKeys, hookKeys, hostKeys } from "../call-keys.ts";
import { HIDDEN, powerless, refusedFor, resultText, UNPATCHABLE } from "../hook-output.ts";
import { eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, personText, refusal, said, unasked } from "../reply.ts";

/** opencode's hooks as our plugin tells of them. */
const EVENTS: Readonly<Record<string, EventName>> = {
  "tool.execute.before": "PreToolUse",
  "tool.execute.after": "PostToolUse",
  "permission.ask": "PermissionRequest",
  "chat.message": "UserPromptSubmit",
  "session.created": "SessionStart",
  "session.deleted": "SessionEnd",
  "session.idle": "Stop",
};
const KEYS: CallKeys = {
  Write: { filePath: "file_path" },
  Edit: { filePath: "file_path", oldString: "old_string", newString: "new_string", replaceAll: "replace_all" },
  Read: { filePath: "file_path" },
  apply_patch: { patchText: "patch" },
};

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PermissionRequest: permission,
  PostToolUse: afterTool,
  UserPromptSubmit: prompt,
  SessionStart: told,
  Stop: told,
};

/**
 * opencode 1.18.33. It has no hooks that are programs: a plugin of ours stands in it and asks us. The answer is our own, for that plugin:
 * `deny`, `args`, `output`, `status`, `prompt`, `context`, `person`.
 */
export const opencode: HostAdapter = {
  name: "opencode",
  markers: ["OPENCODE", "OPENCODE_PID"],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    const event = Object.hasOwn(EVENTS, name) ? EVENTS[name] : Object.values(EVENTS).find((one) => one === name);
    return event ? served("opencode", event, raw, opencodeCall) : unserved("opencode", name, raw);
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse: refusal,
};

function opencodeCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name, "opencode");
  return { tool, input: hookKeys(KEYS, tool, input) };
}

function person(decision: Decision, ...more: string[]): { person?: string } {
  const text = personText([...decision.person, ...more]);
  return text === undefined ? {} : { person: text };
}

function contextOf(decision: Decision): { context?: string } {
  return decision.context ? { context: decision.context } : {};
}

/** A hook cannot ask here, and nothing but a refusal is read before a tool: context goes to the result, by the plugin. */
function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return said({ deny: refused, ...person(decision) });
  if (decision.decision === "ask")
    return said({
      deny: unasked(decision),
      ...person(decision),
    });
  const patch = decision.patch?.tool_input;
  const tool = event.event === null ? "" : (event.payload.tool_name ?? "");
  const args = patch === undefined ? undefined : hostKeys(KEYS, tool, event.raw.tool_input, patch);
  if (patch !== undefined && args === undefined) return said({ deny: UNPATCHABLE, ...person(decision) });
  return said({ ...(args === undefined ? {} : { args }), ...contextOf(decision), ...person(decision) });
}

function permission(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  const status = refused === undefined ? (decision.decision === "continue" ? undefined : decision.decision) : "deny";
  return said({
    ...(status === undefined ? {} : { status }),
    ...person(decision, ...(refused === undefined ? [] : [refused])),
  });
}

function afterTool(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  const wanted = decision.patch?.tool_response;
  const output = refused !== undefined ? `${refused} ${HIDDEN}` : wanted === undefined ? undefined : resultText(wanted);
  return said({ ...(output === undefined ? {} : { output }), ...contextOf(decision), ...person(decision) });
}

function prompt(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return said({ deny: refused, ...person(decision) });
  const wanted = decision.patch?.prompt;
  return said({
    ...(wanted === undefined ? {} : { prompt: String(wanted) }),
    ...contextOf(decision),
    ...person(decision),
  });
}

/** After the fact, or before anything that could be ended. */
function told(event: HostEvent, decision: Decision): HostReply {
  return said(person(decision, ...powerless(event, decision)));
}
