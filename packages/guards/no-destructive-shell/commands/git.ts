import { firstOf, gitCommand, has, isKnown, type Options, optionsOf, type Scene, shown } from "@guards/shell";
import { lossOf } from "../ground.ts";
import type { Rule, Rules } from "../rule.ts";

export const gits: Rules = { git };

type Verb = {
  options: Options /** What stands behind `--`. */;
  paths: readonly string[];
  at: Parameters<Rule>[0]["at"];
  state: Parameters<Rule>[0]["state"];
  scene: Scene;
};

/** Verbs of git that throw away what is not committed, or the way back to what was. Each gives what is lost. */
const VERBS: Readonly<Record<string, (verb: Verb) => string | undefined>> = {
  clean,
  reset: ({ options }) =>
    has(options, "", "hard", "merge") && hasAny(options, "--hard", "--merge") ? "all uncommitted changes" : undefined,
  checkout,
  switch: ({ options }) => (has(options, "f", "force", "discard-changes") ? "all uncommitted changes" : undefined),
  restore,
  stash: ({ options }) => (/^(drop|clear)$/.test(options.operands[0] ?? "") ? "stashed changes" : undefined),
  rm: removed,
  "read-tree": ({ options }) =>
    hasAny(options, "--reset") && options.flags.has("-u") ? "all uncommitted changes" : undefined,
  "checkout-index": ({ options }) =>
    has(options, "f", "force") && has(options, "a", "all") ? "all uncommitted changes" : undefined,
  reflog: ({ options }) =>
    /^(expire|delete)$/.test(options.operands[0] ?? "") && !has(options, "n", "dry-run")
      ? "the way back to earlier commits"
      : undefined,
  gc: ({ options }) =>
    /^(now|all)/.test(options.values.get("--prune")?.[0] ?? "") ? "commits that only the reflog still has" : undefined,
  prune: ({ options }) => (has(options, "n", "dry-run") ? undefined : "commits that no branch has"),
  "update-ref": ({ options }) => (options.flags.has("-d") ? "the way to a branch's commits" : undefined),
  worktree: ({ options, at, state, scene }) => {
    if (options.operands[0] !== "remove" || !has(options, "f", "force")) return undefined;
    const path = options.operands[1] ?? "";
    return lossOf(scene, state, at(path)) === undefined ? undefined : `the working tree ${shown(path)}`;
  },
};

const SPEC: Readonly<Record<string, { letters: string; names: readonly string[] }>> = {
  clean: { letters: "e", names: ["exclude"] },
  checkout: { letters: "bB", names: ["orphan", "conflict", "pathspec-from-file"] },
  switch: { letters: "cC", names: ["create", "force-create", "orphan", "conflict"] },
  restore: { letters: "s", names: ["source", "conflict", "pathspec-from-file"] },
};

function git({ args, at, state }: Parameters<Rule>[0], scene: Scene): string | undefined {
  const { verb, args: rest, folder, settings } = gitCommand(args);
  const isForced =
    verb === "clean" && settings.some((setting) => /^clean\.requireforce=(false|no|off|0)$/i.test(setting));
  const judge = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (judge === undefined || rest.includes("--help") || rest.includes("-h")) return undefined;
  const inFolder =
    folder === undefined
      ? at
      : (path: string, follow?: "all" | "parents") => at(path.startsWith("/") ? path : `${folder}/${path}`, follow);
  const lost = judge({
    options: optionsOf(isForced ? ["--force", ...rest] : rest, SPEC[verb]),
    paths: rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : [],
    at: inFolder,
    state,
    scene,
  });
  return lost === undefined ? undefined : `git ${verb} would throw away ${lost}`;
}

/** By the full name or an abbreviation that no harmless option shares. */
function hasAny(options: Options, ...names: readonly string[]): boolean {
  return [...options.flags].some(
    (flag) => !isKnown(flag) || names.some((name) => flag.length > 3 && name.startsWith(flag)),
  );
}

function clean(verb: Verb): string | undefined {
  const { options } = verb;
  if (has(options, "n", "dry-run") || has(options, "i", "interactive") || !has(options, "f", "force")) return undefined;
  const { operands } = options;
  if (operands.length > 0)
    return firstOf(operands, (path) => (losesAll(verb, path) ? `untracked files in ${shown(path)}` : undefined));
  return "all untracked files";
}

function checkout(verb: Verb): string | undefined {
  const { options } = verb;
  if (has(options, "f", "force")) return "all uncommitted changes";
  if (["-b", "-B", "--orphan"].some((flag) => options.flags.has(flag))) return undefined;
  return discarded(verb, options.operands, verb.paths);
}

function restore(verb: Verb): string | undefined {
  const isIndexOnly = has(verb.options, "S", "staged") && !has(verb.options, "W", "worktree");
  return isIndexOnly ? undefined : discarded(verb, verb.options.operands, verb.options.operands);
}

/** `paths`: operands that are sure to be paths and no branches; a folder's changes are more than one choice. */
function discarded(verb: Verb, operands: readonly string[], paths: readonly string[]): string | undefined {
  const all = operands.find((path) => losesAll(verb, path)) ?? paths.find((path) => !/[^/]\.\w+$/.test(path));
  return all === undefined ? undefined : `the uncommitted changes in ${shown(all)}`;
}

/** A pathspec for the whole tree; one named file or folder is a choice. */
function losesAll({ at, state, scene }: Verb, path: string): boolean {
  if (/^(:\/?|:\(top\).*|\.|\.\/|\*|\.\/\*|:!.*)$/.test(path) || !isKnown(path)) return true;
  return /^[./]/.test(path) && lossOf(scene, state, at(path)) !== undefined;
}

function removed({ options, at, state, scene }: Verb): string | undefined {
  if (has(options, "n", "cached", "dry-run")) return undefined;
  return firstOf(options.operands, (path) =>
    lossOf(scene, state, at(path, "parents")) === undefined ? undefined : `${shown(path)}`,
  );
}
