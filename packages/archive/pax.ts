import { decodePath } from "./entry-header.ts";
import { refuse } from "./faults.ts";
import { TOP_FOLDER } from "./header.ts";
import { LIMITS } from "./limits.ts";

/** Length digits, blank, `path=`, the longest path, line feed. */
const MAX_PAX_BYTES = 16 + TOP_FOLDER.length + LIMITS.MAX_PATH_BYTES;
/** How far a foreign header is looked through for what it sets. */
const MAX_SCANNED_BYTES = 64 * 1024;

/** The path of an extended header that holds one `path` record and nothing else. */
export function readPaxPath(body: Uint8Array, at: number): string {
  const text = Buffer.from(body.subarray(0, MAX_SCANNED_BYTES)).toString("latin1");
  // What it tries to set is told before what is wrong with its form: a changed size is an attack, a bad length a fault.
  for (const [, key] of text.matchAll(/(?:^|\n)\d+ ([^=\n]*)=/g)) {
    if (key === "size") throw refuse("E_ARCHIVE_PAX_SIZE", { at });
    if (key !== "path") throw refuse("E_ARCHIVE_PAX_KEY", { at });
  }
  if (body.byteLength > MAX_PAX_BYTES) throw refuse("E_ARCHIVE_PATH_LONG", { at, limit: LIMITS.MAX_PATH_BYTES });
  const length = /^([1-9]\d{0,2}) path=[^\n\0]+\n$/.exec(text)?.[1];
  if (length === undefined || Number(length) !== body.byteLength) throw refuse("E_ARCHIVE_PAX", { at });
  return decodePath(body.subarray(length.length + " path=".length, -1), at);
}
