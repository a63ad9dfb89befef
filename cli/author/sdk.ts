import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CommandData, MANIFEST_FILE } from "@hookpkg/spec";
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
      tsconfig ? "tsconfig.json finds it" : `tsconfig.json must find it: ${PATHS}`,
    ],
  };
}

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
