import type { Call } from "../machine.ts";
import { given, optionsOf } from "../options.ts";
import { withoutEnd } from "../unknown.ts";
import { type Change, changes, type Rules } from "./rule.ts";

/** Programs that put a file where their last operand, or an option, says. */
export const transfers: Rules = {
  cp: (call) => changes("write", targetsOf(call)),
  install: (call) => changes("write", call.args.includes("-d") ? [] : targetsOf(call)),
  ln: (call) => changes("write", targetsOf(call)),
  rsync: (call) => changes("write", localOf(targetsOf(call))),
  scp: (call) => changes("write", localOf(targetsOf(call))),
  mv: (call) => [...changes("move", sourcesOf(call)), ...changes("write", targetsOf(call))],
  docker: (call) => (call.args[0] === "cp" ? changes("write", localOf(call.args.slice(-1))) : []),
  aws: (call) => (/^(cp|mv|sync)$/.test(call.args[1] ?? "") ? changes("write", localOf(call.args.slice(2, 4))) : []),
  git,
};

const SPEC = {
  letters: "tSgmoeB",
  names: ["target-directory", "suffix", "group", "mode", "owner", "rsh", "exclude", "include"],
};

function partsOf({ args }: Call): { sources: readonly string[]; target: string | undefined } {
  const options = optionsOf(args, SPEC);
  const folder = given(options, "-t", "--target-directory");
  if (folder !== undefined) return { sources: options.operands, target: folder };
  return {
    sources: options.operands.slice(0, -1),
    target: options.operands.length > 1 ? options.operands.at(-1) : undefined,
  };
}

function sourcesOf(call: Call): readonly string[] {
  return partsOf(call).sources;
}

/** The target, and what the sources are called in it if it is a folder. */
function targetsOf(call: Call): string[] {
  const { sources, target } = partsOf(call);
  if (target === undefined) return [];
  // A name with an ending is a file's, not a folder's.
  const isFile = /[^./]\.\w+$/.test(target);
  if (isFile) return [target];
  const inside = sources.map((source) => `${target}/${withoutEnd(source, "/").split("/").pop() ?? ""}`);
  return [target, ...inside];
}

/** `host:path` and `s3://…` are not of this machine. */
function localOf(paths: readonly string[]): string[] {
  return paths.filter((path) => !/^[^/]+:/.test(path));
}

/** Git may change its own folder and check out what it keeps; to move or remove a file is the agent's doing. */
function git(call: Call): Change[] {
  const [verb, ...args] = call.args;
  if (args.includes("--cached") || args.includes("-n") || args.includes("--dry-run")) return [];
  if (verb === "rm") return changes("delete", optionsOf(args).operands);
  if (verb !== "mv") return [];
  return [...changes("move", sourcesOf({ ...call, args })), ...changes("write", targetsOf({ ...call, args }))];
}
