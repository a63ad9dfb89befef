import type { Machine } from "./machine.ts";
import { foundBelow } from "./output.ts";
import { afterSubshell, printed, type State } from "./state.ts";
import { globbed, STAR } from "./unknown.ts";

const EXECS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

export type Search = {
  folders: string[];
  /** Names, as patterns, of which all it finds has one; empty when it finds everything. */
  names: string[];
  isDeleting: boolean;
  /** Commands that it runs, without their end. */
  runs: string[][];
  isPrintingNul: boolean;
};

/** Reads a `find` command line. */
export function searchOf(args: readonly string[]): Search {
  const start = args.findIndex(
    (arg, index) => /^[-(!]/.test(arg) && !/^-([HLP]|D|O\d)$/.test(arg) && args[index - 1] !== "-D",
  );
  const folders = (start < 0 ? args : args.slice(0, start)).filter((arg) => !/^-([HLP]|O\d)$/.test(arg));
  const tests = start < 0 ? [] : args.slice(start);
  const runs: string[][] = [];
  for (let at = 0; at < tests.length; at++) {
    if (!EXECS.has(tests[at] ?? "")) continue;
    const end = tests.findIndex(
      (word, index) => index > at && (word === ";" || (word === "+" && tests[index - 1] === "{}")),
    );
    runs.push(tests.slice(at + 1, end < 0 ? undefined : end));
    at = end < 0 ? tests.length : end;
  }
  return {
    folders: folders.length > 0 ? folders : ["."],
    names: nameFilters(tests),
    isDeleting: tests.includes("-delete"),
    runs,
    isPrintingNul: tests.includes("-print0"),
  };
}

/** What `!` shuts out is no name that it finds; a branch of `-o` that acts without a name finds everything. */
function nameFilters(tests: readonly string[]): string[] {
  const found: string[] = [];
  for (const [index, test] of tests.entries()) {
    if (!/^-i?(name|path|wholename|regex)$/.test(test) || ["!", "-not"].includes(tests[index - 1] ?? "")) continue;
    const text = tests[index + 1] ?? "";
    found.push(globbed(/^-i?name$/.test(test) ? text : (text.split("/").pop() ?? "")));
  }
  return found.some((name) => name === STAR) || hasBareBranch(tests) ? [] : found;
}

function hasBareBranch(tests: readonly string[]): boolean {
  if (tests.includes("(")) return false;
  const branches: string[][] = [[]];
  for (const test of tests) {
    if (test === "-o" || test === "-or") branches.push([]);
    else branches.at(-1)?.push(test);
  }
  const acts = (test: string) => test === "-delete" || EXECS.has(test);
  return (
    branches.length > 1 &&
    branches.some(
      (branch) => branch.some(acts) && !branch.some((test) => /^-i?(name|path|wholename|regex)$/.test(test)),
    )
  );
}

/** The paths that a search finds. */
export function foundPaths({ folders, names }: Search): string[] {
  return folders.flatMap((folder) =>
    names.length === 0 ? [folder, foundBelow(folder, undefined)] : names.map((name) => foundBelow(folder, name)),
  );
}

export function findRuns(machine: Machine, words: readonly string[], state: State): State[] {
  const search = searchOf(words.slice(1));
  const paths = foundPaths(search);
  let after: State[] = [state];
  for (const run of search.runs) {
    after = after.flatMap((now) =>
      paths.flatMap((path) => {
        const command = run.map((word) => word.replaceAll("{}", () => path));
        return machine.call(command, now, "plain").map((one) => afterSubshell(now, one));
      }),
    );
  }
  return after.map((one) => printed(one, paths.map((path) => path + (search.isPrintingNul ? "\0" : "\n")).join("")));
}
