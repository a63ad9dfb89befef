import { closeSync, constants, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import {
  EMPTY_LOCK,
  EMPTY_PROJECT,
  LOCK_FILE,
  type Lock,
  MAX_LOCK_BYTES,
  PROJECT_FILE,
  type ProjectFile,
  parseLock,
  parseProjectFile,
} from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { readRegular } from "../person/regular-file.ts";
import { readOwn } from "../person/state-file.ts";

/** What the project proposes. `fault`: it can't be read, so nothing is known of it; absent is an empty proposal. */
export type Wishes = { lock: Lock; lockFault?: string; file: ProjectFile; fileFault?: string };

/** Reads a project's own two files. They are the agent's to write: nothing in them is believed, no link is followed. */
export function projectWishes(root: string): Wishes {
  const lock = attempt(() => ownBytes(root, LOCK_FILE), parsedLock(root), EMPTY_LOCK);
  const file = attempt(() => ownBytes(root, PROJECT_FILE), parseProjectFile, EMPTY_PROJECT);
  return {
    lock: lock.value,
    file: file.value,
    ...(lock.fault === undefined ? {} : { lockFault: lock.fault }),
    ...(file.fault === undefined ? {} : { fileFault: file.fault }),
  };
}

/** What the person installed for all of their projects. */
export function userWishes(home: Home): Wishes {
  const lock = attempt(() => readOwn(join(home.config, "lock.json")), parsedLock(home.config), EMPTY_LOCK);
  return { lock: lock.value, file: EMPTY_PROJECT, ...(lock.fault === undefined ? {} : { lockFault: lock.fault }) };
}

/** A local package's folder, below the project without a link on the way (E_PROJECT_LINK). */
export function localFolder(root: string, key: string): string {
  const folder = join(root, key.slice("file:".length));
  try {
    if (realpathSync(folder) !== folder) throw refuse("E_PROJECT_LINK", { folder });
  } catch (cause) {
    if (isSystem(cause, "ENOENT")) return folder; // its reader says that nothing is there
    throw isFault(cause) ? cause : refuse("E_PROJECT_LINK", { folder, system: systemCode(cause) }, cause);
  }
  return folder;
}

/** The last lock that was read of each place, with its bytes. */
const locks = new Map<string, { bytes: Uint8Array; lock: Lock }>();
const MAX_LOCKS = 200;

function parsedLock(place: string): (bytes: Uint8Array) => Lock {
  return (bytes) => {
    const last = locks.get(place);
    if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.lock;
    const lock = parseLock(bytes);
    if (locks.size >= MAX_LOCKS) locks.clear();
    locks.set(place, { bytes, lock });
    return lock;
  };
}

function attempt<T>(read: () => Uint8Array | undefined, parse: (bytes: Uint8Array) => T, absent: T) {
  try {
    const bytes = read();
    return { value: bytes === undefined ? absent : parse(bytes), fault: undefined };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { value: absent, fault: error.code };
  }
}

function ownBytes(root: string, name: string): Uint8Array | undefined {
  const [folder = "", file = ""] = name.split("/");
  let folderFd: number | undefined;
  try {
    folderFd = openSync(join(root, folder), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const at = join(`/proc/self/fd/${folderFd}`, file);
    return readRegular(at, MAX_LOCK_BYTES);
  } catch (cause) {
    if (isSystem(cause, "ENOENT")) return undefined;
    throw refuse("E_PROJECT_LINK", { file: name, system: systemCode(cause) }, cause);
  } finally {
    if (folderFd !== undefined) closeSync(folderFd);
  }
}
