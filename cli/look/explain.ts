import { declaredFaults } from "@hookpkg/fault";
import { type CommandData, nearest } from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { loadEveryFault } from "./every-fault.ts";

/** What a code means and what mends it. E_CODE_UNKNOWN names the nearest one. */
export async function run(call: Call): Promise<Done<CommandData["explain"]>> {
  const [word, ...more] = call.args;
  if (word === undefined || more.length > 0) throw refuse("E_USAGE", { expected: "one code, such as E_STORE_DIFFERS" });
  await loadEveryFault();
  const code = word.toUpperCase();
  const sentence = declaredFaults().get(code);
  if (sentence === undefined) {
    const meant = nearest(code, [...declaredFaults().keys()]);
    throw refuse("E_CODE_UNKNOWN", { found: word.slice(0, 100), ...(meant ? { meant } : {}) });
  }
  const advice = adviceFor(code);
  return {
    data: { code, message: sentence, ...(advice ? { hint: advice } : {}) },
    lines: [`${code}: ${sentence}`, ...(advice ? [`  ${advice}`] : [])],
  };
}
