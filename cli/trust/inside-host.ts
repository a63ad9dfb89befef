import { type Fault, isFault } from "@hookpkg/fault";
import { ancestorsOf, type Home, REAL_OUTSIDE, refuseInsideHost } from "@hookpkg/runtime";
import type { Call } from "../command.ts";

/** E_APPROVE_IN_HOST when an agent's host started us: a name in the environment, or a process above, tells. */
export function refuseInside(call: Call, home: Home): void {
  const envNames = Object.keys(call.env).filter((name) => call.env[name] !== undefined);
  refuseInsideHost(home, { envNames, ancestors: ancestorsOf(process.pid) }, REAL_OUTSIDE);
}

/** The same as a value; also when nobody can tell. */
export function insideHost(call: Call, home: Home): Fault | undefined {
  try {
    refuseInside(call, home);
    return undefined;
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}
