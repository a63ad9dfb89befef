import type { Call } from "../machine.ts";
import { edits } from "./edit.ts";
import { outputs } from "./output.ts";
import type { Change, Rule } from "./rule.ts";
import { transfers } from "./transfer.ts";

/** Some programs have a rule in more than one family. */
const rules = new Map<string, Rule[]>();
for (const family of [edits, transfers, outputs])
  for (const [name, rule] of Object.entries(family)) rules.set(name, [...(rules.get(name) ?? []), rule]);

/** The paths that one call of a program changes, deletes or moves, as its words name them. */
export function changedByCall(call: Call): Change[] {
  return (rules.get(call.name) ?? []).flatMap((rule) => rule(call));
}
