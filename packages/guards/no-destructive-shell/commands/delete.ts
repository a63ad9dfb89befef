import { firstOf, foundPaths, optionsOf, searchOf, shown } from "@guards/shell";
import { lossOf } from "../ground.ts";
import { isOnlyAsking, type Rule, type Rules } from "../rule.ts";

/** Programs that delete or empty what their operands name. */
export const deletes: Rules = {
  rm: deleting({}),
  grm: deleting({}),
  unlink: deleting({}),
  srm: deleting({}),
  rimraf: deleting({}),
  "rimraf-cli": deleting({}),
  del: deleting({}),
  "del-cli": deleting({}),
  shred: deleting({ letters: "ns", verb: "overwrite" }),
  truncate: deleting({ letters: "sr", names: ["size", "reference"], verb: "cut" }),
  find: searching,
  gfind: searching,
};

type Deleting = { letters?: string; names?: readonly string[]; verb?: string };

function deleting({ verb = "delete", ...spec }: Deleting): Rule {
  return ({ name, args, at, state }, scene) => {
    if (isOnlyAsking(args)) return undefined;
    const { operands } = optionsOf(args, spec);
    return firstOf(operands, (operand) => {
      const path = at(operand, verb === "delete" ? "parents" : "all");
      const loss = lossOf(scene, state, path);
      return loss === undefined ? undefined : `${name} would ${verb} ${shown(operand)}: ${loss}`;
    });
  };
}

/** `find … -delete`; what `-exec` runs is judged as a call of its own. */
function searching({ args, at, state }: Parameters<Rule>[0], scene: Parameters<Rule>[1]): string | undefined {
  const search = searchOf(args);
  if (!search.isDeleting) return undefined;
  return firstOf(foundPaths(search), (found) => {
    const loss = lossOf(scene, state, at(found, "parents"));
    return loss === undefined ? undefined : `find would delete ${shown(found)}: ${loss}`;
  });
}
