import { canonicalTool } from "@hookpkg/spec";
import type { HostEvent } from "../adapter.ts";
import { type CallKeys, hookKeys, hostKeys } from "../call-keys.ts";
import { asRecord, BARE, type HostObject, type ToolReading } from "../host-input.ts";

const KEYS: CallKeys = {
  apply_patch: { command: "patch" },
  Agent: { message: "prompt" },
};

/** Codex's call in canonical form. */
export function codexCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name, "codex");
  return { tool, input: hookKeys(KEYS, tool, input) };
}

/** A patched hook shape as Codex's own call, complete: it replaces the whole input. Undefined when there is nothing to change. */
export function codexInput(event: HostEvent, patch: unknown): unknown {
  const shape = asRecord(patch);
  if (!shape || event.event === null) return undefined;
  const raw = asRecord(event.raw.tool_input);
  if (!raw) return BARE in shape ? shape[BARE] : undefined;
  return hostKeys(KEYS, event.payload.tool_name ?? "", raw, patch);
}
