import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "@hookpkg/fault";
import { parsedFrom, type Sha256, sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { writeWhole } from "../whole-file.ts";

/** A settings file of a host as it is now. `file` is its real path: a link (as people with dotfiles have) is followed, and kept. */
export type SettingsFile = { file: string; now: { text: string; digest: Sha256; mode: number } | undefined };

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
const OWNER_MAY_WRITE = 0o200;
const PERSONAL_MODE = 0o600;
const SHARED_MODE = 0o644;

/**
 * Opens one for editing. It must be a plain file of this user's that its owner may write, or absent; `within`: what a checkout's links
 * must not lead out of. E_ATTACH_LINK, E_ATTACH_FILE, E_ATTACH_READ_ONLY.
 */
export function openSettings(path: string, within?: string): SettingsFile {
  const file = realOf(path);
  if (within !== undefined && !file.startsWith(`${realpathSync(within)}/`))
    throw refuse("E_ATTACH_LINK", { path, found: file });
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { file, now: undefined };
  if (!found.isFile()) throw refuse("E_ATTACH_FILE", { path: file, found: "no plain file" });
  if (found.uid !== process.getuid?.()) throw refuse("E_ATTACH_FILE", { path: file, owner: found.uid });
  if (found.size > MAX_SETTINGS_BYTES) throw refuse("E_ATTACH_FILE", { path: file, bytes: found.size });
  // Root could write it, and anybody could put a new file in its place: it is read-only because somebody wants it so.
  if ((found.mode & OWNER_MAY_WRITE) === 0) throw refuse("E_ATTACH_READ_ONLY", { path: file });
  const bytes = readBytes(file);
  return { file, now: { text: decoded(file, bytes), digest: sha256(bytes), mode: found.mode & 0o777 } };
}

/** Writes it whole with the mode that it had, if none is given. Somebody who wrote to it since it was read is not overwritten: E_ATTACH_CHANGED. */
export function saveSettings({ file, now }: SettingsFile, text: string, how: { shared: boolean; mode?: number }): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if ((found === undefined) !== (now === undefined)) throw refuse("E_ATTACH_CHANGED", { path: file });
  if (now && sha256(readBytes(file)) !== now.digest) throw refuse("E_ATTACH_CHANGED", { path: file });
  const mode = how.mode ?? now?.mode ?? (how.shared ? SHARED_MODE : PERSONAL_MODE);
  if (!writeWhole(file, text, { mode, existing: now ? "replace" : "keep" }))
    throw refuse("E_ATTACH_CHANGED", { path: file });
}

/** What is read of the settings of this file, or made of them; what is wrong with their text says in which file it is. */
export async function ofSettings<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    return parsedFrom(file, () => {
      throw error;
    });
  }
}

/** What is missing of a folder, outermost first. */
export function missingFolders(folder: string): string[] {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() || dirname(folder) === folder;
  return isThere ? [] : [...missingFolders(dirname(folder)), folder];
}

export function makeFolders(folder: string): void {
  for (const missing of missingFolders(folder))
    try {
      mkdirSync(missing, { mode: 0o755 });
    } catch (cause) {
      throw refuse("E_FILE_WRITE", { path: missing, found: systemCode(cause) }, cause);
    }
}

/** The path with the links of what is there resolved; a link to nothing is refused. */
function realOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  try {
    if (found) return realpathSync(path);
  } catch (cause) {
    throw refuse("E_ATTACH_LINK", { path, found: systemCode(cause) }, cause);
  }
  return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw refuse("E_FILE_READ", { path: file, found: systemCode(cause) }, cause);
  }
}

function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refuse("E_ATTACH_FILE", { path: file, found: "no UTF-8" }, cause);
  }
}
