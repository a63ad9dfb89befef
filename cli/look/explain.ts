import { declaredFaults } from "@hookpkg/fault";
import { type CommandData, nearest, PROBLEMS } from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { loadEveryFault } from "./every-fault.ts";
import { explainDecision } from "./explain-decision.ts";

/** What a code means and what mends it; without one, why an event was decided as it was. E_CODE_UNKNOWN names the nearest code. */
export async function run(call: Call): Promise<Done<CommandData["explain"] | CommandData["explain decision"]>> {
  const [word, ...more] = call.args;
  const isDecision = call.flags.text("at") !== undefined || call.flags.text("handler") !== undefined;
  if (more.length > 0 || (word !== undefined && isDecision))
    throw refuse("E_USAGE", { expected: "one code, such as E_STORE_DIFFERS or W_GUARD_OPEN, or --at and --handler" });
  if (word === undefined) return explainDecision(call);
  await loadEveryFault();
  const code = word.toUpperCase();
  const known = new Map([...Object.entries(PROBLEMS), ...declaredFaults()]);
  const sentence = known.get(code);
  if (sentence === undefined) {
    const meant = nearest(code, [...known.keys()]);
    throw refuse("E_CODE_UNKNOWN", { found: word.slice(0, 100), ...(meant ? { meant } : {}) });
  }
  const advice = adviceFor(code) ?? OF_A_PACKAGE;
  return {
    data: { code, message: sentence, hint: advice },
    lines: [`${code}: ${sentence}`, `  ${advice}`],
  };
}

/** Every fault has advice of its own; what is left is what can be wrong with a package. */
const OF_A_PACKAGE = "hookpkg validate DIR names each place, and the spelling that was likely meant";
