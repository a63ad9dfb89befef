import { type Integrity, type Sha256, sha256, sha512Integrity } from "@hookpkg/spec";
import { refuse } from "./faults.ts";
import { type Files, sortFiles, treeDigest } from "./files.ts";
import { BLOCK_BYTES, encodeHeaders, padding } from "./header.ts";
import { LIMITS } from "./limits.ts";
import { checkPath, checkPathsTogether } from "./path.ts";

declare const valid: unique symbol;
declare const packed: unique symbol;

/** A plain tar with its digests (of the tar) and its tree digest (of the files); `files` are exactly what was hashed. */
type Archive = {
  readonly tar: Uint8Array;
  readonly sha256: Sha256;
  readonly sha512: Integrity;
  readonly tree: Sha256;
  readonly files: Files;
};

/** An archive in which every reader sees the same files. Made by `validateArchive` and `pack` only. */
export type ValidArchive = Archive & { readonly [valid]: true };

/** Station 2: an archive that was written here. */
export type Packed = ValidArchive & { readonly [packed]: true };

/**
 * Files → archive. Same files, same bytes: order, times, owner, umask, folder and machine have no part in it.
 * Refuses with E_ARCHIVE_… whatever `validateArchive` would refuse.
 */
export function pack(files: Files): Packed {
  checkFiles(files);
  const sorted = sortFiles(files);
  const archive = seal(writeTar(sorted), sorted);
  return archive as Packed; // written just now from checked files
}

export function checkFiles(files: Files): void {
  if (files.length === 0) throw refuse("E_ARCHIVE_EMPTY");
  if (files.length > LIMITS.MAX_ENTRIES) throw refuse("E_ARCHIVE_TOO_MANY", { limit: LIMITS.MAX_ENTRIES });
  for (const file of files) checkPath(file.path);
  checkPathsTogether(files.map((file) => file.path));
}

/** Digests of an archive whose files were checked. Not exported from the package: it makes the brand. */
export function seal(tar: Uint8Array, files: Files): ValidArchive {
  const archive: Archive = {
    tar,
    sha256: sha256(tar),
    sha512: sha512Integrity(tar),
    tree: treeDigest(files),
    files,
  };
  return archive as ValidArchive; // its two callers checked the files
}

/** The bytes of sorted, checked files: headers, contents, two empty blocks. */
export function writeTar(files: Files): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 2 * BLOCK_BYTES;
  for (const file of files) {
    const headers = encodeHeaders(file.path, file.executable, file.bytes.byteLength);
    total += headers.byteLength + file.bytes.byteLength + padding(file.bytes.byteLength);
    if (total > LIMITS.MAX_TAR_BYTES) throw refuse("E_ARCHIVE_TOO_LARGE", { limit: LIMITS.MAX_TAR_BYTES });
    parts.push(headers, file.bytes, new Uint8Array(padding(file.bytes.byteLength)));
  }
  parts.push(new Uint8Array(2 * BLOCK_BYTES));
  return new Uint8Array(Buffer.concat(parts, total));
}
