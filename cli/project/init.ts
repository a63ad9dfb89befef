import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { homeFolders, registerProject } from "@hookpkg/runtime";
import { type CommandData, EMPTY_PROJECT, PROJECT_FILE, projectFileText } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { writeWhole } from "../whole-file.ts";
import { makeProjectFolder } from "./files.ts";

/** Makes the folder a project: what is missing is written, what is there stays as it is. */
export async function run(call: Call): Promise<Done<CommandData["init"]>> {
  const home = homeFolders(call.home);
  const root = call.project ?? call.cwd;
  const created = makeProjectFolder(root);
  try {
    const text = projectFileText(EMPTY_PROJECT);
    if (writeWhole(join(root, PROJECT_FILE), text, { mode: 0o644, existing: "keep" })) created.push(PROJECT_FILE);
    const { root: project } = await registerProject(home, root);
    const lines =
      created.length > 0 ? [`${root} is a project now: ${created.join(", ")}`] : [`${root} is a project already`];
    return { data: { project, created }, lines };
  } catch (error) {
    takeBack(root, created);
    throw error;
  }
}

/** A folder that nobody is registered for would look like a project; what was there before stays. */
function takeBack(root: string, created: readonly string[]): void {
  for (const path of [...created].reverse())
    if (path === ".hookpkg") rmdirSync(join(root, path));
    else rmSync(join(root, path), { force: true });
}
