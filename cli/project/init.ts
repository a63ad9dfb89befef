import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, registerProject } from "@hookpkg/runtime";
import { type CommandData, EMPTY_PROJECT, PROJECT_FILE, projectFileText } from "@hookpkg/spec";
import { writeWhole } from "../author/whole-file.ts";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";

const FOLDER = ".hookpkg";
/** A person's own hooks in a project stay out of everybody else's. */
const GITIGNORE = "hooks.local/\n";

/** Makes the folder a project: what is missing is written, what is there stays as it is. */
export async function run(call: Call): Promise<Done<CommandData["init"]>> {
  if (call.args.length > 0)
    throw refuse("E_USAGE", { found: call.args.join(" ").slice(0, 200), expected: "no argument" });
  const root = call.project ?? call.cwd;
  const created = [
    ...makeFolder(root),
    ...writeMissing(root, PROJECT_FILE, projectFileText(EMPTY_PROJECT)),
    ...writeMissing(root, join(FOLDER, ".gitignore"), GITIGNORE),
  ];
  const { root: project } = await registerProject(homeFolders(call.home), root);
  const lines =
    created.length > 0 ? [`${root} is a project now: ${created.join(", ")}`] : [`${root} is a project already`];
  return { data: { project, created }, lines };
}

function makeFolder(root: string): string[] {
  const path = join(root, FOLDER);
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A linked .hookpkg would let a checkout write into somebody's home.
  if (found && !found.isDirectory()) throw refuse("E_PROJECT_FOLDER", { path });
  if (found) return [];
  try {
    mkdirSync(path);
  } catch (cause) {
    throw refuse(
      "E_FILE_WRITE",
      { path, found: cause instanceof Error && "code" in cause ? `${cause.code}` : "" },
      cause,
    );
  }
  return [FOLDER];
}

function writeMissing(root: string, file: string, text: string): string[] {
  return writeWhole(join(root, file), text, { mode: 0o644, existing: "keep" }) ? [file] : [];
}
