import type { PatchFields } from "../answer.ts";
import { eventRow } from "../event.ts";
import { refuse } from "../faults.ts";
import type { Payload } from "../payload.ts";
import { hookShape } from "../tool.ts";
import { asObject } from "./command-output.ts";

/**
 * The payload with a patch laid over it. A `tool_input` sets the keys that it names and leaves the others; the result must have its
 * tool's hook shape, and `changes` is always read from `patch` anew. E_ANSWER_PATCH_FIELD, _EMPTY or _SHAPE otherwise.
 */
export function applyPatch(payload: Payload, fields: PatchFields): Payload {
  const event = payload.hook_event_name;
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  if (names.length === 0) throw refuse("E_ANSWER_PATCH_EMPTY", { event });
  const wrong = names.find((name) => !eventRow(event).patchable.includes(name));
  if (wrong !== undefined) throw refuse("E_ANSWER_PATCH_FIELD", { event, field: wrong.slice(0, 100) });
  let patched = payload;
  for (const name of names)
    patched = {
      ...patched,
      [name]: name === "tool_input" ? patchedInput(payload, fields[name]) : replaced(name, fields[name]),
    };
  return patched;
}

/** Results and host-declared payloads are the handler's and the host's business; a prompt and an error are texts. */
function replaced(name: string, value: unknown): unknown {
  if ((name === "prompt" || name === "error") && typeof value !== "string")
    throw refuse("E_ANSWER_PATCH_SHAPE", { field: name, found: typeof value });
  return value;
}

function patchedInput(payload: Payload, value: unknown): Readonly<Record<string, unknown>> {
  const tool = payload.tool_name ?? "";
  const keys = asObject(value);
  if (!keys) throw refuse("E_ANSWER_PATCH_SHAPE", { tool, found: "not an object" });
  if (Object.keys(keys).length === 0) throw refuse("E_ANSWER_PATCH_EMPTY", { tool });
  if (tool === "apply_patch" && Object.keys(keys).every((key) => key === "changes"))
    throw refuse("E_ANSWER_PATCH_SHAPE", { tool, found: "changes without patch" });
  const { input, fault } = hookShape(tool, { ...payload.tool_input, ...keys }, payload.cwd);
  if (fault) throw refuse("E_ANSWER_PATCH_SHAPE", { tool, ...fault.facts }, fault);
  return input;
}
