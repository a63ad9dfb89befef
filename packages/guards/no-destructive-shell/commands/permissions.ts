import { firstOf, has, optionsOf, shown } from "@guards/shell";
import { reachOf } from "../ground.ts";
import type { Rule, Rules } from "../rule.ts";

/** Recursive changes of modes and owners, which nothing can take back. */
export const permissions: Rules = {
  chmod: recursive(1),
  chown: recursive(1),
  chgrp: recursive(1),
  chattr: recursive(1),
  setfacl: recursive(0, "mxMXdn"),
};

/** `leading`: operands before the paths. */
function recursive(leading: number, letters = ""): Rule {
  return ({ name, args, at, state }, scene) => {
    const options = optionsOf(args, { letters, names: ["reference", "from"] });
    if (!has(options, "R", "recursive")) return undefined;
    // A mode such as `-w` or `+i` looks like an option, a file given by --reference stands for it.
    const isGiven = options.flags.has("--reference") || (name === "chmod" && has(options, "rwxst"));
    return firstOf(options.operands.slice(isGiven ? 0 : leading), (operand) => {
      const reach = reachOf(scene, state, at(operand));
      return reach === undefined ? undefined : `${name} would change everything below ${shown(operand)}: ${reach}`;
    });
  };
}
