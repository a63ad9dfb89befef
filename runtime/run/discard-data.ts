import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { systemCode } from "@hookpkg/fault";
import { refuse } from "../faults.ts";

/** Opens an inode without a right to it: enough to change the mode of one's own folder. Not among Node's constants. */
const O_PATH = 0o10000000;
const FOLDER_FLAGS = constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Removes what a package kept, whatever it made of it: folders that are closed to us, trees deeper than a path can be. What lies in a
 * folder is moved up before the folder goes, so that no path is long; no link is followed. False when nothing was there. E_STATE_UNWRITABLE.
 */
export function discardData(folder: string): boolean {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
    if (removeLeaf(folder)) return true;
    within(folder, empty);
    rmdirSync(folder);
    return true;
  } catch (cause) {
    throw refuse("E_STATE_UNWRITABLE", { file: folder, system: systemCode(cause) }, cause);
  }
}

function empty(root: string): void {
  let moved = 0;
  for (let names = readdirSync(root); names.length > 0; names = readdirSync(root))
    for (const name of names) {
      const path = join(root, name);
      if (!removeLeaf(path)) {
        within(path, (at) => {
          for (const child of readdirSync(at)) {
            const below = join(at, child);
            if (removeLeaf(below)) continue;
            within(below, () => {}); // to be moved, a folder must be writable itself
            renameSync(below, join(root, `${MOVED}${process.pid}-${moved++}`));
          }
        });
        rmdirSync(path);
      }
    }
}

const MOVED = ".discarded-";

/** False for a folder. */
function removeLeaf(path: string): boolean {
  if (lstatSync(path).isDirectory()) return false;
  unlinkSync(path);
  return true;
}

/** Works in a folder that is open to us by now, under a short name that leads to it and nowhere else. */
function within(path: string, work: (at: string) => void): void {
  const fd = openSync(path, FOLDER_FLAGS | O_PATH);
  try {
    const at = `/proc/self/fd/${fd}`;
    chmodSync(at, 0o700);
    work(at);
  } finally {
    closeSync(fd);
  }
}
