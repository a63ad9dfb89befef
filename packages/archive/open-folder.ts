import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from "node:fs";
import { join, resolve } from "node:path";
import { systemCode } from "@hookpkg/fault";
import { refuse } from "./faults.ts";
import { shown } from "./path.ts";

/** A folder held open: whatever is renamed or linked around it meanwhile, its children are those of this folder. */
export type OpenFolder = { readonly fd: number; readonly path: string; readonly at: string };

const NO_FOLLOW = constants.O_RDONLY | constants.O_NOFOLLOW;
/** O_NONBLOCK: opening a named pipe must not wait for its writer. */
const FILE_FLAGS = NO_FOLLOW | constants.O_NONBLOCK;
const FOLDER_FLAGS = NO_FOLLOW | constants.O_DIRECTORY;
/** Linux opens children through the open folder itself; elsewhere the path is used and compared afterwards. */
const DESCRIPTORS = "/proc/self/fd";
const hasDescriptors = existsSync(DESCRIPTORS);

/** Opens a folder that is no link itself (E_FOLDER_LINK, E_FOLDER_MISSING). Links above it are the caller's business. */
export function openFolder(path: string): OpenFolder {
  // A trailing slash or dot would follow the link in spite of O_NOFOLLOW.
  return opened(resolve(path), resolve(path));
}

export function openSubfolder(parent: OpenFolder, name: string): OpenFolder {
  const folder = opened(join(parent.at, name), join(parent.path, name));
  if (!isSame(parent)) {
    closeFolder(folder);
    throw refuse("E_FOLDER_CHANGED", { path: parent.path });
  }
  return folder;
}

export function closeFolder(folder: OpenFolder): void {
  closeSync(folder.fd);
}

/** Names as the disk has them; one that is not UTF-8 holds U+FFFD, which no path may. */
export function namesIn(folder: OpenFolder): string[] {
  return attempt(folder.path, () => readdirSync(folder.at));
}

/** What the name stands for, links not followed. */
export function statIn(folder: OpenFolder, name: string): Stats {
  return attempt(join(folder.path, name), () => lstatSync(join(folder.at, name)));
}

/** Whole content and owner's x bit of a regular file of at most `maxBytes` (E_ARCHIVE_TOO_LARGE). */
export function readFileIn(
  folder: OpenFolder,
  name: string,
  maxBytes: number,
): { bytes: Uint8Array; executable: boolean } {
  const path = join(folder.path, name);
  return attempt(path, () => {
    const fd = openSync(join(folder.at, name), FILE_FLAGS);
    try {
      // Asked of the opened file, not of its name: there is no moment in between.
      const before = fstatSync(fd);
      if (!before.isFile()) throw refuse("E_FOLDER_SPECIAL", { path: shown(path) });
      if (before.size > maxBytes)
        throw refuse("E_ARCHIVE_TOO_LARGE", { path: shown(path), bytes: before.size, limit: maxBytes });
      const bytes = readWhole(fd, before.size);
      const after = fstatSync(fd);
      if (bytes === undefined || after.mtimeMs !== before.mtimeMs || after.mode !== before.mode || !isSame(folder)) {
        throw refuse("E_FOLDER_CHANGED", { path: shown(path) });
      }
      return { bytes, executable: (before.mode & constants.S_IXUSR) !== 0 };
    } finally {
      closeSync(fd);
    }
  });
}

function opened(at: string, path: string): OpenFolder {
  return attempt(path, () => {
    // Linux answers ENOTDIR for a link and for a file alike when a folder is asked for.
    if (lstatSync(at).isFile()) throw refuse("E_FOLDER_NOT_FOLDER", { path: shown(path) });
    const fd = openSync(at, FOLDER_FLAGS);
    return { fd, path, at: hasDescriptors ? `${DESCRIPTORS}/${fd}` : path };
  });
}

/** `size` bytes, or undefined when the file turns out shorter or longer. */
function readWhole(fd: number, size: number): Uint8Array | undefined {
  const buffer = new Uint8Array(size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= size; length += read) {
    read = readSync(fd, buffer, length, size + 1 - length, null);
  }
  return length === size ? buffer.slice(0, size) : undefined;
}

/** Without descriptors a folder could have been exchanged under its path; its number tells. */
function isSame(folder: OpenFolder): boolean {
  if (hasDescriptors) return true;
  const [held, named] = [fstatSync(folder.fd), lstatSync(folder.path)];
  return held.dev === named.dev && held.ino === named.ino;
}

const CODES: Record<string, "E_FOLDER_MISSING" | "E_FOLDER_LINK" | "E_FOLDER_SPECIAL"> = {
  ENOENT: "E_FOLDER_MISSING",
  ELOOP: "E_FOLDER_LINK",
  ENOTDIR: "E_FOLDER_LINK",
  ENXIO: "E_FOLDER_SPECIAL",
};

/** System errors become faults; a fault from within stays what it is. */
function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = systemCode(error);
    if (code.startsWith("E_")) throw error;
    throw refuse(CODES[code] ?? "E_FOLDER_UNREADABLE", { path: shown(path), system: code }, error);
  }
}
