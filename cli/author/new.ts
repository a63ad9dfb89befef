import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type CommandData, isPackageName, type PackageName, parsePackageName } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { guardFiles } from "./guard-template.ts";
import { writeWhole } from "./whole-file.ts";

/** Writes a working guard into a folder that is new or empty: all of it, or nothing. */
export async function run(call: Call): Promise<Done<CommandData["new"]>> {
  const [dir, ...more] = call.args;
  if (dir === undefined || more.length > 0) throw refuse("E_USAGE", { expected: "one folder" });
  const folder = resolve(call.cwd, dir);
  const name = nameOf(call.flags.text("name"), folder);
  refuseTaken(folder);
  const files = guardFiles(name, new Date().getUTCFullYear());
  writeAll(folder, files);
  return {
    data: { folder, files: [...files.keys()] },
    lines: [
      `${name}, a guard against forced pushes, is in ${folder}`,
      ...[...files.keys()].map((path) => `  ${path}`),
      `next: ${commandText("hookpkg", "test", dir)}`,
    ],
  };
}

/** Without `--name` the folder names it, in a scope that nobody would publish under. */
function nameOf(said: string | undefined, folder: string): PackageName {
  if (said !== undefined) return parsePackageName(said);
  const name = `@example/${basename(folder)}`;
  if (!isPackageName(name))
    throw refuse("E_USAGE", { found: basename(folder).slice(0, 200), expected: "--name @SCOPE/NAME" });
  return name;
}

function refuseTaken(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && !(found.isDirectory() && readdirSync(folder).length === 0))
    throw refuse("E_NEW_FOLDER", { path: folder });
}

/** Written beside the folder first; only complete does it take the folder's place. */
function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  const unfinished = join(dirname(folder), `.${basename(folder)}.${crypto.randomUUID()}.tmp`);
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true });
      writeWhole(join(unfinished, path), text, { mode: 0o644, existing: "keep" });
    }
    moveInto(folder, unfinished);
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw refuse(
      "E_FILE_WRITE",
      { path: folder, found: cause instanceof Error && "code" in cause ? `${cause.code}` : "" },
      cause,
    );
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** A folder that somebody stands in is kept and filled; a rename would leave them in a removed one. */
function moveInto(folder: string, unfinished: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })) {
    renameSync(unfinished, folder);
    return;
  }
  for (const entry of readdirSync(unfinished)) renameSync(join(unfinished, entry), join(folder, entry));
  rmdirSync(unfinished);
}
