import { resolve } from "node:path";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";

/** The one folder that an author's command is given; the current one when none is. */
export function packageFolder(call: Pick<Call, "args" | "cwd">): string {
  const [dir = ".", ...more] = call.args;
  if (more.length > 0) throw refuse("E_USAGE", { found: more.join(" ").slice(0, 200), expected: "one folder" });
  return resolve(call.cwd, dir);
}
