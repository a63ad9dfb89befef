import type { Decision } from "@hookpkg/spec";
import type { HostAdapter, HostEvent } from "./adapter.ts";
import { isRefused } from "./refusal-read.ts";

const ASK: Decision = { v: 1, decision: "ask", reason: "hookpkg ask mark", person: [], handlers: [] };

/** Whether a hook's question at this event reaches the host's person, by what the adapter writes: else it is written as a refusal. */
export function canAsk(adapter: HostAdapter, event: HostEvent): boolean {
  return !isRefused(adapter.write(event, ASK));
}
