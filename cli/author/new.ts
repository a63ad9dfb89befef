import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isFault, systemCode } from "@hookpkg/fault";
import { type CommandData, isPackageName, type PackageName, parsePackageName } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { oneLine } from "../terminal.ts";
import { writeWhole } from "../whole-file.ts";
import { guardFiles } from "./guard-template.ts";

/** Writes a package into a folder that is new or empty, all of it or nothing: a working guard, or what `--from` names. */
export async function run(call: Call): Promise<Done<CommandData["new"]>> {
  const [dir, ...more] = call.args;
  if (dir === undefined || more.length > 0) throw refuse("E_USAGE", { expected: "one folder" });
  const folder = resolve(call.cwd, dir);
  const from = call.flags.text("from");
  if (from !== undefined) return imported(call, { dir, folder, from });
  if (call.flags.text("host") !== undefined) throw refuse("E_USAGE", { expected: "--from with --host" });
  const name = nameOf(call.flags.text("name"), folder);
  refuseTaken(folder);
  const files = guardFiles(name, new Date().getUTCFullYear());
  writeAll(
    folder,
    [...files].map(([path, text]) => ({ path, bytes: text, executable: false })),
  );
  return {
    data: { folder, files: [...files.keys()] },
    lines: [
      `${name}, a guard against forced pushes, is in ${folder}`,
      ...[...files.keys()].map((path) => `  ${path}`),
      `next: ${commandText("hookpkg", "test", dir)}`,
    ],
  };
}

/** Somebody's hooks, converted; what became of each is said. */
async function imported(
  call: Call,
  { dir, folder, from }: { dir: string; folder: string; from: string },
): Promise<Done<CommandData["new"]>> {
  const said = call.flags.text("name");
  if (call.flags.on("guard")) throw refuse("E_USAGE", { expected: "--guard or --from" });
  refuseTaken(folder);
  const [{ importFrom }, { REPORT_FILE, reportLines }] = await Promise.all([
    import("../import/import.ts"),
    import("../import/report.ts"),
  ]);
  const made = await importFrom({
    ...{ from: resolve(call.cwd, from), folder, host: call.flags.text("host") },
    name: said === undefined ? undefined : parsePackageName(said),
  });
  writeAll(folder, made.files);
  return {
    data: { folder, files: made.files.map(({ path }) => path), imported: made.imported },
    lines: [
      `${made.name}, from hooks of ${made.imported.host}, is in ${folder}`,
      ...reportLines(made.imported).map(oneLine),
      `all of it stands in ${join(dir, REPORT_FILE)}; the rights are a proposal: look at each`,
      `next: ${commandText("hookpkg", "validate", dir)}`,
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

type Writing = { path: string; bytes: Uint8Array | string; executable: boolean };

/** Written beside the folder first; only complete does it take the folder's place. */
function writeAll(folder: string, files: readonly Writing[]): void {
  const unfinished = join(dirname(folder), `.${basename(folder)}.${crypto.randomUUID()}.tmp`);
  try {
    for (const { path, bytes, executable } of files) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true });
      writeWhole(join(unfinished, path), bytes, { mode: executable ? 0o755 : 0o644, existing: "keep" });
    }
    moveInto(folder, unfinished);
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw refuse("E_FILE_WRITE", { path: folder, found: systemCode(cause) }, cause);
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
