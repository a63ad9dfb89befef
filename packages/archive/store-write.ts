import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { refuse } from "./faults.ts";
import type { Files } from "./files.ts";
import { closeFolder, type OpenFolder, openFolder, openSubfolder } from "./open-folder.ts";

/** Half-written and half-removed trees have names that no digest has. */
const UNFINISHED = ".unfinished-";
/** What a killed process left is swept by a later one; no placement takes this long. */
const UNFINISHED_AGE_MS = 60 * 60 * 1000;
/** Files that wait for the disk together: it writes them in one go. */
const FLUSHED_TOGETHER = 64;

/** The store's folder held open, made when absent; E_STORE_LINK when a link stands there. */
export function openStore(store: string): OpenFolder {
  try {
    makeStore(store);
    return openFolder(store);
  } catch (error) {
    if (isFault(error, "E_FOLDER_LINK")) throw refuse("E_STORE_LINK", { store }, error);
    throw refuse("E_STORE_WRITE", { store, system: systemCode(error) }, error);
  }
}

/**
 * Writes the files beside their place and renames the folder: a kill at any moment leaves the whole tree or none. False
 * when another process was first.
 */
export async function installTree(store: OpenFolder, name: string, files: Files): Promise<boolean> {
  const unfinished = `${UNFINISHED}${crypto.randomUUID()}`;
  const folder = join(store.at, unfinished);
  try {
    mkdirSync(folder, { mode: 0o700 });
    sweep(store, lstatSync(folder).mtimeMs);
    await writeFiles(folder, files);
    return rename(store, unfinished, name);
  } catch (error) {
    removeBelow(store, unfinished);
    throw isFault(error) ? error : refuse("E_STORE_WRITE", { store: store.path, system: systemCode(error) }, error);
  }
}

/** Takes an entry of the store away: first out of its place, then piece by piece. */
export function discard(store: OpenFolder, name: string): void {
  const unfinished = `${UNFINISHED}${crypto.randomUUID()}`;
  try {
    renameSync(join(store.at, name), join(store.at, unfinished));
    fsyncSync(store.fd);
  } catch (error) {
    if (isSystem(error, "ENOENT")) return;
    throw refuse("E_STORE_WRITE", { store: store.path, system: systemCode(error) }, error);
  }
  removeBelow(store, unfinished);
}

/** Removes a folder and all below it, sealed trees too: what `rm -r` can't for a user who is not root. Absent is fine. */
export function discardFolder(path: string): void {
  const parent = openFolder(dirname(resolve(path)));
  try {
    removeBelow(parent, basename(resolve(path)));
  } finally {
    closeFolder(parent);
  }
}

function makeStore(store: string): void {
  try {
    mkdirSync(store, { recursive: true, mode: 0o755 });
  } catch (error) {
    if (!isSystem(error, "EEXIST")) throw error; // what stands there is seen when it is opened
  }
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  const folders = new Set<string>([""]);
  for (let first = 0; first < files.length; first += FLUSHED_TOGETHER) {
    const written: number[] = [];
    try {
      for (const file of files.slice(first, first + FLUSHED_TOGETHER)) {
        makeFolders(folder, file.path, folders);
        written.push(writeFile(join(folder, file.path), file.bytes, file.executable ? 0o555 : 0o444));
      }
      await Promise.all(written.map((fd) => promisify(fsync)(fd)));
    } finally {
      for (const fd of written) closeSync(fd);
    }
  }
  // Deepest first: a folder that can't be written any more still takes its children's flush.
  for (const path of [...folders].sort().reverse()) sealFolder(join(folder, path));
}

function makeFolders(root: string, path: string, made: Set<string>): void {
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    if (!made.has(folder)) mkdirSync(join(root, folder), { mode: 0o700 });
    made.add(folder);
  }
}

function writeFile(path: string, bytes: Uint8Array, mode: number): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, 0o600);
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
  fchmodSync(fd, mode); // not at open: the umask has no say in what a tree is
  return fd;
}

function sealFolder(path: string): void {
  chmodSync(path, 0o555);
  const fd = openSync(path, constants.O_RDONLY);
  fsyncSync(fd);
  closeSync(fd);
}

function rename(store: OpenFolder, from: string, to: string): boolean {
  try {
    renameSync(join(store.at, from), join(store.at, to));
  } catch (error) {
    removeBelow(store, from);
    if (isSystem(error, "ENOTEMPTY") || isSystem(error, "EEXIST")) return false;
    if (isSystem(error, "ENOTDIR")) throw refuse("E_STORE_LINK", { store: store.path, name: to }, error);
    throw error;
  }
  fsyncSync(store.fd);
  return true;
}

/** Best effort: what can't be removed now is for the next one. The disk's own clock tells the age. */
function sweep(store: OpenFolder, nowMs: number): void {
  for (const name of readdirSync(store.at)) {
    if (!name.startsWith(UNFINISHED)) continue;
    try {
      if (nowMs - lstatSync(join(store.at, name)).mtimeMs > UNFINISHED_AGE_MS) removeBelow(store, name);
    } catch {
      // somebody else was faster
    }
  }
}

/** Removes an entry and all below it, through read-only folders and never through a link. */
function removeBelow(parent: OpenFolder, name: string): void {
  const path = join(parent.at, name);
  try {
    if (lstatSync(path).isDirectory()) {
      empty(openSubfolder(parent, name));
      rmdirSync(path);
    } else unlinkSync(path);
  } catch (error) {
    if (isSystem(error, "ENOENT") || isFault(error, "E_FOLDER_MISSING")) return;
    throw refuse("E_STORE_WRITE", { path: join(parent.path, name), system: systemCode(error) }, error);
  }
}

function empty(folder: OpenFolder): void {
  try {
    fchmodSync(folder.fd, 0o700);
    for (const child of readdirSync(folder.at)) removeBelow(folder, child);
  } finally {
    closeFolder(folder);
  }
}
