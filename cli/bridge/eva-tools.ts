import { isFault } from "@hookpkg/fault";
import { z } from "zod";
import { adviceFor } from "../advice.ts";
import { refuse } from "../faults.ts";

/** `tools/list`: what Eva's models may do through this module. */
export const EVA_TOOLS = [
  {
    name: "event_emit",
    description: "Tells the event custom.<name> to the hooks of this project that react to it. Nobody waits for them.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", pattern: "^custom\\.", description: "custom.<name>, in lower case" },
        data: { description: "any JSON of up to 64 KiB" },
      },
      required: ["name"],
      additionalProperties: false,
    },
  },
] as const;

const call = z.looseObject({ name: z.string().max(200), arguments: z.unknown().optional() });
const emitArguments = z.strictObject({ name: z.string().max(1000), data: z.unknown().optional() });

/** `tools/call`. What is wrong with what the model gave is a result that it reads; a tool that is not there is the core's error. */
export function callTool(params: unknown, emit: (notice: { name: string; data: unknown }) => void): object {
  const read = call.safeParse(params);
  if (!read.success || read.data.name !== "event_emit") throw refuse("E_BRIDGE_PARAMS", { path: "name" });
  try {
    const given = emitArguments.safeParse(read.data.arguments ?? {});
    if (!given.success) throw refuse("E_BRIDGE_PARAMS", { path: given.error.issues[0]?.path.join(".") ?? "" });
    emit({ name: given.data.name, data: given.data.data ?? null });
    return said(`${given.data.name} is told`);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { code, message } = error;
    return { ...said(`${message} [${code}]: ${adviceFor(code) ?? ""}`), isError: true };
  }
}

function said(text: string): { content: readonly object[] } {
  return { content: [{ type: "text", text }] };
}
