import { HOSTS, type HostAdapter, type HostEvent, hostNamed } from "@hookpkg/hosts";
import { foldEvent, nearest } from "@hookpkg/spec";
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

/** As much of an event as can be read without its adapter's checks: what to refuse when nothing else works. What is absent is unknown. */
export type Glimpse = { event?: string; cwd?: string; subjects?: readonly string[] };

export function glimpse(adapter: HostAdapter, input: Uint8Array): Glimpse {
  try {
    return seen(adapter.read(input));
  } catch {
    const event = namedEvent(input);
    return event === undefined ? {} : { event };
  }
}

/** The served event that an unreadable text names. Its inner parts are an agent's to write: where names differ, nobody knows. */
function namedEvent(input: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(input);
  const names = new Set([...text.matchAll(/"hook_event_name"\s*:\s*"([A-Za-z]{1,60})"/g)].map(([, name = ""]) => name));
  const [name] = names;
  return names.size === 1 && name !== undefined ? foldEvent(name) : undefined;
}

function seen(event: HostEvent): Glimpse {
  const cwd = event.payload?.cwd;
  return { event: event.event ?? event.hostEventName, subjects: event.subjects, ...(cwd === undefined ? {} : { cwd }) };
}
