import { canonicalTool, type Decision, type EventName } from "@hookpkg/spec";
import type { HostAdapter, HostEvent, HostReply } from "../adapter.ts";
import { refusedFor, UNPATCHABLE } from "../hook-output.ts";
import { asRecord, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { PASS, refusal, said, unasked } from "../reply.ts";
import { clineEvent } from "./cline-event.ts";

type Writer = (event: HostEvent, decision: Decision) => HostReply;

const WRITERS: Readonly<Partial<Record<EventName, Writer>>> = {
  PreToolUse: beforeTool,
  PostToolUse: afterTool,
  PostToolUseFailure: afterTool,
  UserPromptSubmit: prompt,
};

/** What it takes of a context. */
const MAX_CONTEXT = 50_000;

/**
 * Cline 3.0.65. Exit codes say nothing to it: JSON on stdout alone does. A `cancel` stops the call and ends the run; the model is not told.
 */
export const cline: HostAdapter = {
  name: "cline",
  ceilingMs: 25_000,
  markers: ["CLINE_ACTIVE", "CLINE_CONNECTOR_CLI_LAUNCH"],
  version: ({ raw }) => raw.clineVersion,
  read(input) {
    const given = hostObject(input);
    const { name, event, raw } = clineEvent(given);
    return event
      ? served("cline", event, { ...raw, hook_event_name: name }, clineCall)
      : unserved("cline", name, given);
  },
  write: (event, decision) => (event.event && WRITERS[event.event]?.(event, decision)) || PASS,
  refuse(event, reason) {
    const reply = refusal(event, reason);
    return reply.exit === 2 ? cancelled(reply.stderr.trim()) : reply;
  },
};

/** Several commands are one, line by line; several files of one call have no one path, and guards see all of it. */
function clineCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name, "cline");
  const { commands, files, path, input: patch, ...rest } = input;
  if (tool === "Bash" && Array.isArray(commands))
    return { tool, input: { ...rest, command: commands.map(commandText).join("\n") } };
  const [file, ...more] = Array.isArray(files) ? files : [];
  const single = more.length === 0 ? asRecord(file)?.path : undefined;
  if (tool === "Read" && typeof single === "string") return { tool, input: { ...input, file_path: single } };
  if (tool === "apply_patch" && typeof patch === "string") return { tool, input: { ...rest, patch } };
  return { tool, input: typeof path === "string" ? { ...input, file_path: path } : input };
}

/** A command is text, or a program with its arguments. */
function commandText(command: unknown): string {
  const { command: program, args } = asRecord(command) ?? {};
  if (typeof program !== "string") return String(command);
  return [program, ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}

function cancelled(reason: string): HostReply {
  return said({ cancel: true, errorMessage: reason });
}

function contextOf(decision: Decision): { contextModification?: string } {
  return decision.context ? { contextModification: decision.context.slice(0, MAX_CONTEXT) } : {};
}

function beforeTool(event: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return cancelled(refused);
  if (decision.decision === "ask") return cancelled(unasked(decision));
  if (decision.patch?.tool_input === undefined) return said(contextOf(decision));
  const overrideInput = overridden(event, decision.patch.tool_input);
  return overrideInput ? said({ overrideInput, ...contextOf(decision) }) : cancelled(UNPATCHABLE);
}

/** Only a command can be put back: of other tools the shape has keys that Cline's has not. */
function overridden(event: HostEvent, patch: unknown): HostObject | undefined {
  const [shape, raw] = [asRecord(patch), asRecord(event.raw.tool_input)];
  if (!shape || !raw || event.event === null || event.payload.tool_name !== "Bash") return undefined;
  return typeof shape.command === "string" ? { ...raw, commands: [shape.command] } : undefined;
}

/** The result cannot be another: what must not be read ends the run before the model reads it. */
function afterTool(_: HostEvent, decision: Decision): HostReply {
  const refused = refusedFor(decision);
  if (refused !== undefined) return cancelled(refused);
  if (decision.patch?.tool_response !== undefined)
    return cancelled("a hook rewrote this result, which this host cannot take back");
  return said(contextOf(decision));
}

function prompt(_: HostEvent, decision: Decision): HostReply {
  const rewritten = decision.patch?.prompt === undefined ? undefined : "a hook rewrote this prompt, which was not sent";
  const refused = refusedFor(decision) ?? rewritten;
  return refused === undefined ? said(contextOf(decision)) : cancelled(refused);
}
