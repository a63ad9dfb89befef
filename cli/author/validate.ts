import { readFolder, sourcesOf } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import {
  type CommandData,
  isError,
  MANIFEST_FILE,
  type Problem,
  packageProblems,
  parseJson,
  problemLine,
  type SourceFiles,
} from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { oneLine } from "../terminal.ts";
import { packageFolder } from "./package-folder.ts";

/** Names every fault of a package, all at once. Silence means that `publish` and every client will take it. */
export async function run(call: Call): Promise<Done<CommandData["validate"]>> {
  const found = await readFolder(packageFolder(call));
  const files = sourcesOf(found);
  const problems = packageProblems(files, new Set(found.flatMap(({ path, executable }) => (executable ? path : []))));
  return {
    data: { ...claimedName(files), problems },
    lines: problems.map(lineOf),
    exit: problems.some(isError) ? 1 : 0,
  };
}

function lineOf(problem: Problem): string {
  return oneLine(`${isError(problem) ? "error" : "warning"} ${problemLine(problem)} [${problem.code}]`);
}

/** What the manifest calls itself, also where it has faults elsewhere. */
function claimedName(files: SourceFiles): { name: string; version: string } {
  const manifest = parsedOrNull(files.get(MANIFEST_FILE));
  const text = (key: string) => {
    const value = manifest === null ? undefined : Object.entries(manifest).find(([name]) => name === key)?.[1];
    return typeof value === "string" ? value.slice(0, 200) : "";
  };
  return { name: text("name"), version: text("version") };
}

function parsedOrNull(bytes: Uint8Array | undefined): object | null {
  try {
    const value = bytes === undefined ? null : parseJson(bytes);
    return typeof value === "object" ? value : null;
  } catch (error) {
    if (isFault(error)) return null; // it is among the problems
    throw error;
  }
}
