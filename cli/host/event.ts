import { HOSTS, type HostAdapter, type HostEvent, hostNamed } from "@hookpkg/hosts";
import { nearest } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

/** The adapter of a host by name. E_HOST_UNKNOWN. */
export function adapterOf(name: string | undefined): HostAdapter {
  const found = name === undefined ? undefined : hostNamed(name);
  if (found === undefined) {
    const known = HOSTS.map((host) => host.name);
    const meant = nearest(name ?? "", known);
    throw refuse("E_HOST_UNKNOWN", { found: (name ?? "").slice(0, 100), ...(meant ? { meant } : {}), known });
  }
  return found;
}

/** As much of an event as can be read without its adapter's checks: what to refuse when nothing else works. */
export type Glimpse = { event?: string; cwd?: string; subjects: readonly string[] };

export function glimpse(adapter: HostAdapter, input: Uint8Array): Glimpse {
  try {
    return seen(adapter.read(input));
  } catch {
    const text = new TextDecoder().decode(input.subarray(0, MAX_GLIMPSED_BYTES));
    const event = /"hook_event_name"\s*:\s*"([A-Za-z]{1,60})"/.exec(text)?.[1];
    return { ...(event === undefined ? {} : { event }), subjects: [] };
  }
}

const MAX_GLIMPSED_BYTES = 1024 * 1024;

function seen(event: HostEvent): Glimpse {
  const cwd = event.payload?.cwd;
  return { event: event.hostEventName, subjects: event.subjects, ...(cwd === undefined ? {} : { cwd }) };
}
