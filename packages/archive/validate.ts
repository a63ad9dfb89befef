import { checkEntryHeader, readSize } from "./entry-header.ts";
import { refuse } from "./faults.ts";
import { type PackageFile, sortFiles } from "./files.ts";
import { BLOCK_BYTES, padding, TOP_FOLDER } from "./header.ts";
import { LIMITS } from "./limits.ts";
import { checkFiles, seal, type ValidArchive, writeTar } from "./pack.ts";
import { checkPath } from "./path.ts";
import { readPaxPath } from "./pax.ts";

/**
 * Untrusted bytes → archive in which every reader sees the same files. Its last rule is the strongest: packing the files
 * again must give these very bytes, so nothing is left that two readers could see differently. The rules before it are
 * there to say what is wrong. E_ARCHIVE_… otherwise.
 */
export function validateArchive(tar: Uint8Array): ValidArchive {
  checkOutside(tar);
  const files = readEntries(tar);
  checkFiles(files);
  checkOrder(files);
  const again = writeTar(files);
  const at = firstDifference(tar, again);
  if (at !== undefined) throw refuse("E_ARCHIVE_NOT_CANONICAL", { at });
  return seal(again, files);
}

function checkOutside(tar: Uint8Array): void {
  if (tar[0] === 0x1f && tar[1] === 0x8b) throw refuse("E_ARCHIVE_GZIP");
  if (tar.byteLength > LIMITS.MAX_TAR_BYTES) {
    throw refuse("E_ARCHIVE_TOO_LARGE", { bytes: tar.byteLength, limit: LIMITS.MAX_TAR_BYTES });
  }
  if (tar.byteLength === 0) throw refuse("E_ARCHIVE_NOT_TAR", { bytes: 0 });
}

/** Reads up to the end blocks. Nothing is copied before its size and the number of entries were checked. */
function readEntries(tar: Uint8Array): PackageFile[] {
  const files: PackageFile[] = [];
  let longPath: string | undefined;
  for (let at = 0; ; ) {
    const header = blockAt(tar, at);
    if (isZero(header)) {
      if (longPath !== undefined) throw refuse("E_ARCHIVE_PAX", { at, found: "no file after the extended header" });
      checkEnd(tar, at);
      return files;
    }
    const { type, path, executable } = checkEntryHeader(header, at);
    const size = readSize(header, at);
    const body = at + BLOCK_BYTES;
    const next = body + size + padding(size);
    if (next > tar.byteLength) throw refuse("E_ARCHIVE_TRUNCATED", { at, expected: next, bytes: tar.byteLength });
    if (!isZero(tar.subarray(body + size, next))) throw refuse("E_ARCHIVE_PADDING", { at: body + size });
    const content = tar.subarray(body, body + size);
    if (type === "pax") {
      if (longPath !== undefined) throw refuse("E_ARCHIVE_PAX", { at, found: "two extended headers for one file" });
      longPath = readPaxPath(content, at);
    } else {
      if (files.length === LIMITS.MAX_ENTRIES) throw refuse("E_ARCHIVE_TOO_MANY", { limit: LIMITS.MAX_ENTRIES });
      files.push({ path: belowTop(longPath ?? path, at), executable, bytes: content.slice() });
      longPath = undefined;
    }
    at = next;
  }
}

function blockAt(tar: Uint8Array, at: number): Uint8Array {
  const block = tar.subarray(at, at + BLOCK_BYTES);
  if (block.byteLength < BLOCK_BYTES) throw refuse("E_ARCHIVE_TRUNCATED", { at, bytes: tar.byteLength });
  return block;
}

function belowTop(full: string, at: number): string {
  if (!full.startsWith(TOP_FOLDER)) {
    checkPath(full); // a path that leads out, or is none at all, is called so first
    throw refuse("E_ARCHIVE_TOP_FOLDER", { at, path: full });
  }
  return full.slice(TOP_FOLDER.length);
}

/** Two zero blocks and then nothing but zeros: readers disagree whether entries after the end exist. */
function checkEnd(tar: Uint8Array, at: number): void {
  const rest = tar.subarray(at);
  if (!isZero(rest)) throw refuse("E_ARCHIVE_TRAILING", { at });
  if (rest.byteLength < 2 * BLOCK_BYTES) throw refuse("E_ARCHIVE_TRUNCATED", { at, bytes: tar.byteLength });
}

function checkOrder(files: readonly PackageFile[]): void {
  const sorted = sortFiles(files);
  const wrong = files.findIndex((file, index) => file !== sorted[index]);
  if (wrong !== -1) {
    throw refuse("E_ARCHIVE_ORDER", { found: files[wrong]?.path ?? "", expected: sorted[wrong]?.path ?? "" });
  }
}

function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  if (Buffer.compare(a, b) === 0) return undefined;
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.byteLength : at;
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
