import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { refuse } from "./faults.ts";

/** `replace` takes an existing file's place; `keep` never does: the answer is false and the file stays as it is. */
export type Placing = { mode: number; existing: "replace" | "keep" };

/** Writes a file whole: beside its place, flushed, then renamed. Killed at any moment, there is the old one or the new one. */
export function writeWhole(path: string, bytes: Uint8Array | string, { mode, existing }: Placing): boolean {
  // A rename would put a plain file in the place of /dev/null or of a pipe.
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (existing === "replace" && there && !there.isFile()) throw refuse("E_FILE_WRITE", { path, found: "not a file" });
  const unfinished = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    writeFlushed(unfinished, Buffer.from(bytes), mode);
    if (existing === "replace") renameSync(unfinished, path);
    else linkSync(unfinished, path); // unlike a rename it fails where something stands
    return true;
  } catch (cause) {
    if (existing === "keep" && isSystem(cause, "EEXIST")) return false;
    if (isFault(cause)) throw cause;
    throw refuse("E_FILE_WRITE", { path, found: systemCode(cause) }, cause);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function writeFlushed(path: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  try {
    fchmodSync(fd, mode); // whatever the umask says
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
