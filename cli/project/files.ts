import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { type Home, homeFolders, projectAt, projectsAround } from "@hookpkg/runtime";
import {
  EMPTY_LOCK,
  EMPTY_PROJECT,
  LOCK_FILE,
  type Lock,
  lockText,
  PROJECT_FILE,
  type ProjectFile,
  parsedFrom,
  parseLock,
  parseProjectFile,
  projectFileText,
} from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { pageLines } from "../trust/page.ts";
import { writeWhole } from "../whole-file.ts";

/** What the project's own files wish for. Both are absent in a project that has nothing yet. */
export type ProjectFiles = { project: ProjectFile; lock: Lock };

const FOLDER = ".hookpkg";
const GITIGNORE = "hooks.local/\n";

/**
 * The project that a person means: `--project`, else the nearest folder upwards that has `.hookpkg/` or is registered with them:
 * what they approved there runs on without the folder, and is found without it. E_PROJECT_MISSING.
 */
export function projectRoot(call: Pick<Call, "project" | "cwd" | "home">): string {
  if (call.project !== undefined) return realFolder(call.project);
  const registered = new Set(projectsAround(homeFolders(call.home), call.cwd).map(({ root }) => root));
  for (let folder = call.cwd; ; folder = dirname(folder)) {
    if (hasProjectFolder(folder) || registered.has(folder)) return folder;
    if (folder === dirname(folder)) throw refuse("E_PROJECT_MISSING", { cwd: call.cwd });
  }
}

/** The same, and where there is none yet the folder that will become one. */
export function projectRootOrHere(call: Pick<Call, "project" | "cwd" | "home">): string {
  try {
    return projectRoot(call);
  } catch (error) {
    if (!isFault(error, "E_PROJECT_MISSING") || call.project !== undefined) throw error;
    return call.cwd;
  }
}

export function readProjectFiles(root: string): ProjectFiles {
  refuseLinkedFolder(root);
  const parsed = <T>(file: string, parse: (bytes: Uint8Array) => T, absent: T) => {
    const bytes = read(root, file);
    return bytes === undefined ? absent : parsedFrom(join(root, file), () => parse(bytes));
  };
  return {
    project: parsed(PROJECT_FILE, parseProjectFile, EMPTY_PROJECT),
    lock: parsed(LOCK_FILE, parseLock, EMPTY_LOCK),
  };
}

/** Writes both whole, the lock last: it is what teammates and the gate look at. Gives what was made or changed. */
export function writeProjectFiles(root: string, files: ProjectFiles): string[] {
  const made = makeProjectFolder(root);
  if (writeChanged(root, PROJECT_FILE, projectFileText(files.project))) made.push(PROJECT_FILE);
  if (writeChanged(root, LOCK_FILE, lockText(files.lock))) made.push(LOCK_FILE);
  return made;
}

/** `.hookpkg/` and what keeps a person's own hooks in it out of everybody else's; gives what was not there. */
export function makeProjectFolder(root: string): string[] {
  refuseLinkedFolder(root);
  const made = hasProjectFolder(root) ? [] : [FOLDER];
  try {
    if (made.length > 0) mkdirSync(join(root, FOLDER));
  } catch (cause) {
    throw refuse("E_FILE_WRITE", { path: join(root, FOLDER), found: systemCode(cause) }, cause);
  }
  const ignore = join(FOLDER, ".gitignore");
  return writeWhole(join(root, ignore), GITIGNORE, { mode: 0o644, existing: "keep" }) ? [...made, ignore] : made;
}

/** Whether the folder has a `.hookpkg`, whatever that is. */
export function hasProjectFolder(folder: string): boolean {
  return lstatSync(join(folder, FOLDER), { throwIfNoEntry: false }) !== undefined;
}

/** What to say of a registered project whose folder somebody took away: its guards are not gone with it. */
export function goneLines(home: Home, root: string): string[] {
  if (hasProjectFolder(root) || projectAt(home, root) === undefined) return [];
  return pageLines(
    `!! ${root} has no .hookpkg any more; what you approved there runs on: restore it, or install again`,
  );
}

/** A linked `.hookpkg` would let a checkout write into somebody's home. */
function refuseLinkedFolder(root: string): void {
  const found = lstatSync(join(root, FOLDER), { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw refuse("E_PROJECT_FOLDER", { path: join(root, FOLDER) });
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw refuse("E_PROJECT_MISSING", { cwd: path }, cause);
  }
}

function read(root: string, file: string): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(join(root, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (isSystem(cause, "ENOENT")) return undefined;
    throw refuse("E_FILE_READ", { path: join(root, file), found: systemCode(cause) }, cause);
  }
  try {
    return new Uint8Array(readFileSync(fd));
  } catch (cause) {
    throw refuse("E_FILE_READ", { path: join(root, file), found: systemCode(cause) }, cause);
  } finally {
    closeSync(fd);
  }
}

/** A file of the same bytes is left alone. */
function writeChanged(root: string, file: string, text: string): boolean {
  const bytes = read(root, file);
  if (bytes && Buffer.from(bytes).equals(Buffer.from(text))) return false;
  return writeWhole(join(root, file), text, { mode: 0o644, existing: "replace" });
}
