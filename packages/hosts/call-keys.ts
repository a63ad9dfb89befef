import { asRecord, type HostObject } from "./host-input.ts";

/** By canonical tool: the host's key → the hook shape's, where they differ. */
export type CallKeys = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A host's input under the keys of the hook shape; a key that is there already stays what it is. */
export function hookKeys(keys: CallKeys, tool: string, input: HostObject): HostObject {
  return renamed(input, Object.entries(keys[tool] ?? {}));
}

/** A patched hook shape as the host's own input, complete: no host merges. Undefined when it is no object. */
export function hostKeys(keys: CallKeys, tool: string, raw: unknown, patch: unknown): HostObject | undefined {
  const [shape, before] = [asRecord(patch), asRecord(raw)];
  if (!shape || !before) return undefined;
  const { changes: _, ...fields } = shape; // `changes` is ours, read from the patch
  const back = Object.entries(keys[tool] ?? {}).map(([host, hook]) => [hook, host] as const);
  return { ...before, ...renamed(tool === "apply_patch" ? fields : shape, back) };
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
