import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { readFileBelow } from "@hookpkg/archive";
import { type CommandData, MANIFEST_FILE, parseJson } from "@hookpkg/spec";
import { z } from "zod";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { writeWhole } from "../whole-file.ts";
import { SDK_FILE, sdkFiles } from "./guard-template.ts";
import { packageFolder } from "./package-folder.ts";

/** Writes the SDK into a package, for its author's editor and `bun test`: it is on no package registry. */
export async function run(call: Call): Promise<Done<CommandData["sdk"]>> {
  const folder = packageFolder(call);
  if (!lstatSync(join(folder, MANIFEST_FILE), { throwIfNoEntry: false }))
    throw refuse("E_USAGE", { found: folder.slice(0, 200), expected: `a folder with ${MANIFEST_FILE}` });
  const file = join(folder, SDK_FILE);
  makeOwn(dirname(file));
  writeWhole(file, sdkFiles.sdk, { mode: 0o644, existing: "replace" });
  const tsconfig = writeWhole(join(folder, "tsconfig.json"), sdkFiles.tsconfig, { mode: 0o644, existing: "keep" });
  return {
    data: { file, tsconfig },
    lines: [
      `@hookpkg/sdk of this hookpkg is in ${file}`,
      tsconfig || findsIt(folder) ? "tsconfig.json finds it" : `tsconfig.json must find it: ${PATHS}`,
    ],
  };
}

/** Whether an author's own names the file. What has comments, or takes it from another one, is not read: then it is said. */
function findsIt(folder: string): boolean {
  try {
    const found = tsconfigSchema.safeParse(parseJson(readFileBelow(folder, "tsconfig.json", MAX_TSCONFIG_BYTES).bytes));
    return found.data?.compilerOptions.paths["@hookpkg/sdk"].some((path) => normalize(path) === SDK_FILE) ?? false;
  } catch {
    return false;
  }
}

const MAX_TSCONFIG_BYTES = 64 * 1024;
const tsconfigSchema = z.object({
  compilerOptions: z.object({ paths: z.object({ "@hookpkg/sdk": z.array(z.string()) }) }),
});

/** A package may be somebody else's: behind a link of theirs the file would take the place of another one of the author's. */
function makeOwn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw refuse("E_FILE_WRITE", { path: folder }, cause);
  }
  if (!lstatSync(folder).isDirectory()) throw refuse("E_FILE_WRITE", { path: folder, found: "a link" });
}

const PATHS = `"compilerOptions": { "paths": { "@hookpkg/sdk": ["./${SDK_FILE}"] } }`;
