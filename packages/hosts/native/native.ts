import { canonicalTool, foldEvent, hookShape, meantEvent } from "@hookpkg/spec";
import type { HostAdapter } from "../adapter.ts";
import { refuse } from "../faults.ts";
import { eventName, type HostObject, hostObject, served, type ToolReading, unserved } from "../host-input.ts";
import { refusal, said } from "../reply.ts";

/** Embedders that speak hookpkg's own form: canonical names in, the whole decision out. */
export const native: HostAdapter = {
  name: "native",
  markers: [],
  read(input) {
    const raw = hostObject(input);
    const name = eventName(raw);
    // A slip of the embedder's would be an event that nobody guards: it must not pass as one.
    const meant = meantEvent(name);
    if (meant !== undefined) throw refuse("E_HOST_EVENT_NAME", { found: name, meant });
    const event = foldEvent(name);
    return event ? served("native", event, raw, nativeCall) : unserved("native", name, raw);
  },
  write: (_, { v, decision, reason, patch, context, person, forced, handlers }) =>
    said({ v, decision, reason, patch, context, person, forced, handlers }),
  refuse: (event, reason) => refusal(event, reason),
};

/**
 * Names are canonical by contract. An embedder that passes on a host's own name gets it folded when the input already has that tool's
 * shape; Codex's patch under `command` is read as the patch that it is.
 */
function nativeCall(name: string, input: HostObject): ToolReading {
  const tool = canonicalTool(name);
  if (tool === "apply_patch" && input.patch === undefined && typeof input.command === "string")
    return { tool, input: { ...input, patch: input.command } };
  return hookShape(tool, input, "/").fault ? { tool: name, input } : { tool, input };
}
