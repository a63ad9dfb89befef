import type { HostName } from "../adapter.ts";
import { isCopilots } from "../copilot-cli/copilot-event.ts";
import { asRecord, hostObject } from "../host-input.ts";

/**
 * Copilot CLI reads a project's settings of Claude Code, Peri reads the person's, too: both start entries that were written for Claude Code.
 * Copilot is told by the event, which a project can't forge. Peri's events are Claude's; its variable could be forged, so Peri's answers
 * are ones that Claude Code obeys as well.
 */
export function claudeCaller(input: unknown, env: Readonly<Record<string, string | undefined>>): HostName | undefined {
  if (env.CLAUDE_HOOK_EVENT_NAME !== undefined && env.CLAUDECODE === undefined) return "peri";
  if (input instanceof Uint8Array ? !hasTime(input) : typeof input === "string" && !input.includes(TIME))
    return undefined;
  try {
    return isCopilots(asRecord(hostObject(input)) ?? {}) ? "copilot-cli" : undefined;
  } catch {
    return undefined; // what can't be read is Claude Code's to refuse
  }
}

const TIME = '"timestamp"';
const TIME_BYTES = new TextEncoder().encode(TIME);

/** Spares most events being read twice. */
function hasTime(input: Uint8Array): boolean {
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).includes(TIME_BYTES);
}
