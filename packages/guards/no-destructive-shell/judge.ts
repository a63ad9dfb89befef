import { ANY, type Call, firstOf, isKnown, optionsOf, readCommand, type Scene, shown, type Watch } from "@guards/shell";
import { clouds } from "./commands/cloud.ts";
import { codeLoss } from "./commands/code.ts";
import { copies } from "./commands/copy.ts";
import { data } from "./commands/data.ts";
import { deletes } from "./commands/delete.ts";
import { diskRule, disks } from "./commands/disk.ts";
import { gits } from "./commands/git.ts";
import { permissions } from "./commands/permissions.ts";
import { processes } from "./commands/processes.ts";
import { lossOf } from "./ground.ts";
import type { Rule, Rules } from "./rule.ts";

/** Some programs have a rule in more than one family. */
const rules = new Map<string, Rule[]>();
const families: readonly Rules[] = [deletes, copies, disks, permissions, processes, gits, data, clouds];
for (const family of families) {
  for (const [name, rule] of Object.entries(family)) rules.set(name, [...(rules.get(name) ?? []), rule]);
}

/** Why a command must not run, in one line; undefined when it may. */
export function judge(command: string, scene: Scene): string | undefined {
  const watch: Watch = {
    call: (call) => judgeCall(call, scene),
    write(path, mode, state) {
      // A name that is not known is a log or an output far more often than what must not be lost.
      if (path.startsWith(ANY)) return undefined;
      if (mode === "append" && !/^\/(dev|proc|sys)\//.test(path)) return undefined;
      const loss = lossOf(scene, state, path);
      return loss === undefined ? undefined : `the redirection would overwrite ${shown(path)}: ${loss}`;
    },
    forkBomb: (name) => `${name} starts copies of itself without end: a fork bomb`,
    hidden: () => "it runs text that is decoded on the way, so nobody can say what it would destroy",
    code: (code) => codeLoss(code, scene),
  };
  return readCommand(command, scene, watch);
}

function judgeCall(call: Call, scene: Scene): string | undefined {
  const found = rules.get(call.name) ?? [diskRule(call.name) ?? (isKnown(call.name) ? undefined : unknownProgram)];
  return firstOf(found, (rule) => rule?.(call, scene));
}

/** A program that can't be known is taken for rm where it is called like it. */
function unknownProgram({ args, at, state }: Call, scene: Scene): string | undefined {
  const { flags, operands } = optionsOf(args);
  if (!flags.has("-r") && !flags.has("-R") && !flags.has("-f") && !flags.has("--recursive")) return undefined;
  const lost = operands.find((operand) => !operand.startsWith(ANY) && lossOf(scene, state, at(operand)) !== undefined);
  return lost === undefined ? undefined : `a program that can't be known before it runs may delete ${shown(lost)}`;
}
