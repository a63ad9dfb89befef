import { readlinkSync } from "node:fs";
import { homeOf, isBelow, type Scene } from "./scene.ts";

/** Folders of one name that containers work in; any other folder right below the root is the system's. */
const WORK_ROOTS = new Set(["/app", "/workspace", "/workspaces", "/work", "/code", "/repo", "/project"]);

/**
 * The scene of a call: links are read from the disk. A linked working tree lies outside the project's root: there the folder
 * that the call starts in counts. The project is "" where a home or a folder of the system is given as one.
 */
export function sceneOnDisk(cwd: string, root: string): Scene {
  const inside = (cwd === root || isBelow(cwd, root) ? root : cwd).replace(/\/+$/, "");
  const home = homeOf(inside);
  return { cwd, project: isWhole(inside, home) ? "" : inside, home, link: linkOnDisk };
}

function isWhole(folder: string, home: string): boolean {
  return folder === home || (folder.lastIndexOf("/") <= 0 && !WORK_ROOTS.has(folder));
}

function linkOnDisk(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // no link, or nothing there
  }
}
