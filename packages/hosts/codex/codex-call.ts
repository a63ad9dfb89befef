import { canonicalTool } from "@hookpkg/spec";
import type { HostEvent } from "../adapter.ts";
import { asRecord, BARE, type HostObject, type ToolReading } from "../host-input.ts";

/** Codex's key → the hook shape's, where they differ. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apply_patch: { command: "patch" },
  Agent: { message: "prompt" },
};

/** Codex's call in canonical form. */
export function codexCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name, "codex");
  return { tool, input: renamed(input, Object.entries(KEYS[tool] ?? {})) };
}

/** A patched hook shape as Codex's own call, complete: it replaces the whole input. Undefined when there is nothing to change. */
export function codexInput(event: HostEvent, patch: unknown): unknown {
  const shape = asRecord(patch);
  if (!shape || event.event === null) return undefined;
  const raw = asRecord(event.raw.tool_input);
  if (!raw) return BARE in shape ? shape[BARE] : undefined;
  const tool = event.payload.tool_name ?? "";
  const back = Object.entries(KEYS[tool] ?? {}).map(([host, hook]) => [hook, host] as const);
  const { changes: _, ...keys } = shape; // `changes` is ours, read from the patch
  return { ...raw, ...renamed(tool === "apply_patch" ? keys : shape, back) };
}

function renamed(input: HostObject, names: readonly (readonly [string, string])[]): HostObject {
  const result: Record<string, unknown> = { ...input };
  for (const [from, to] of names)
    if (from in result && !(to in result)) {
      result[to] = result[from];
      delete result[from];
    }
  return result;
}
