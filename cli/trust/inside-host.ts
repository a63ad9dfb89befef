import { isFault } from "@hookpkg/fault";
import { ancestorsOf, type Home, REAL_OUTSIDE, refuseInsideHost } from "@hookpkg/runtime";
import type { Call } from "../command.ts";

/** E_APPROVE_IN_HOST when an agent's host started us: a name in the environment, or a process above, tells. */
export function refuseInside(call: Call, home: Home): void {
  const envNames = Object.keys(call.env).filter((name) => call.env[name] !== undefined);
  refuseInsideHost(home, { envNames, ancestors: ancestorsOf(process.pid) }, REAL_OUTSIDE);
}

export function isInsideHost(call: Call, home: Home): boolean {
  try {
    refuseInside(call, home);
    return false;
  } catch (error) {
    if (isFault(error)) return true; // also when nobody can tell
    throw error;
  }
}
