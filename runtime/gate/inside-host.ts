import { HOSTS } from "@hookpkg/hosts";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Outside, ProcessMark } from "../outside.ts";
import { recordedHosts } from "../person/sessions.ts";

/**
 * E_APPROVE_IN_HOST when the command was started by an agent host: one of its marks is in the environment, or an ancestor is a
 * process that `run` recorded as a host under this home. `envNames`: the names of all set variables.
 */
export function refuseInsideHost(
  home: Home,
  { envNames, ancestors }: { envNames: readonly string[]; ancestors: readonly ProcessMark[] },
  outside: Outside,
): void {
  for (const host of HOSTS) {
    const marker = host.markers.find((name) => envNames.includes(name));
    if (marker !== undefined) throw refuse("E_APPROVE_IN_HOST", { host: host.name, marker });
  }
  const hosts = recordedHosts(home, outside);
  const found = hosts.find((host) => ancestors.some(({ pid, start }) => host.pid === pid && host.start === start));
  if (found === undefined) return;
  const { pid, host, session } = found;
  throw refuse("E_APPROVE_IN_HOST", { pid, host, session: session.slice(0, 100), until: `process ${pid} ends` });
}
