import type { Decision } from "@hookpkg/spec";
import type { HostAdapter, HostEvent } from "./adapter.ts";
import { asRecord } from "./host-input.ts";

const MARK = "hookpkg context mark";
const DECISION: Decision = { v: 1, decision: "continue", context: MARK, person: [], handlers: [] };

/** Whether the host's model would hear the context of this event, by what the adapter writes. Lines for the person do not count. */
export function takesContext(adapter: HostAdapter, event: HostEvent): boolean {
  const { stdout } = adapter.write(event, DECISION);
  try {
    const { systemMessage: _, ...heard } = asRecord(JSON.parse(stdout)) ?? {};
    return JSON.stringify(heard).includes(MARK);
  } catch {
    return stdout.includes(MARK); // a host that takes plain text
  }
}
