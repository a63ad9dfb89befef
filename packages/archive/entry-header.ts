import { refuse } from "./faults.ts";
import { checksumOf, FIELD, type Field } from "./header.ts";
import { LIMITS } from "./limits.ts";

export type EntryHeader = { type: "file" | "pax"; path: string; executable: boolean };

/** Entry types that are refused by name, so that whoever packed with another tool learns what it did. */
const REFUSED = {
  "1": "E_ARCHIVE_HARD_LINK",
  "2": "E_ARCHIVE_SYMLINK",
  "3": "E_ARCHIVE_DEVICE",
  "4": "E_ARCHIVE_DEVICE",
  "5": "E_ARCHIVE_DIRECTORY",
  "6": "E_ARCHIVE_FIFO",
  g: "E_ARCHIVE_PAX_GLOBAL",
} as const;

/** One 512-byte header of ours, E_ARCHIVE_… for every other one. `at`: its offset, for the facts. */
export function checkEntryHeader(header: Uint8Array, at: number): EntryHeader {
  checkFormat(header, at);
  const type = entryType(header, at);
  const prefix = textField(header, FIELD.prefix, at);
  const name = textField(header, FIELD.name, at);
  checkFixedFields(header, at);
  const mode = ascii(header, FIELD.mode);
  if (mode !== "0000644\0" && mode !== "0000755\0") throw refuse("E_ARCHIVE_MODE", { at, found: quoted(mode) });
  return { type, path: prefix === "" ? name : `${prefix}/${name}`, executable: mode === "0000755\0" };
}

/** Bytes of content: octal digits only, because the other spellings are what readers disagree about. */
export function readSize(header: Uint8Array, at: number): number {
  const text = ascii(header, FIELD.size);
  const first = header[FIELD.size.at] ?? 0;
  if (first >= 0x80) throw refuse("E_ARCHIVE_SIZE_BINARY", { at });
  if (!/^[0-7]{11}\0$/.test(text)) throw refuse("E_ARCHIVE_SIZE", { at, found: quoted(text) });
  const size = Number.parseInt(text, 8);
  if (size > LIMITS.MAX_TAR_BYTES) {
    throw refuse("E_ARCHIVE_TOO_LARGE", { at, bytes: size, limit: LIMITS.MAX_TAR_BYTES });
  }
  return size;
}

function checkFormat(header: Uint8Array, at: number): void {
  const magic = ascii(header, FIELD.magic);
  const sumOk = Number.parseInt(ascii(header, FIELD.checksum), 8) === checksumOf(header);
  if (!sumOk) throw refuse(at === 0 && !magic.startsWith("ustar") ? "E_ARCHIVE_NOT_TAR" : "E_ARCHIVE_CHECKSUM", { at });
  if (magic !== "ustar\u000000") throw refuse("E_ARCHIVE_FORMAT", { at, found: quoted(magic) });
}

function entryType(header: Uint8Array, at: number): EntryHeader["type"] {
  const type = ascii(header, FIELD.type);
  if (type === "0") return "file";
  if (type === "x") return "pax";
  const facts = { at, type: quoted(type) };
  for (const [refused, code] of Object.entries(REFUSED)) if (type === refused) throw refuse(code, facts);
  throw refuse("E_ARCHIVE_TYPE", facts);
}

function checkFixedFields(header: Uint8Array, at: number): void {
  for (const name of ["uid", "gid"] as const) {
    const found = ascii(header, FIELD[name]);
    if (found !== "0000000\0") throw refuse("E_ARCHIVE_OWNER", { at, field: name, found: quoted(found) });
  }
  for (const name of ["uname", "gname"] as const) {
    if (!isZero(header, FIELD[name])) throw refuse("E_ARCHIVE_OWNER", { at, field: name });
  }
  const mtime = ascii(header, FIELD.mtime);
  if (mtime !== "00000000000\0") throw refuse("E_ARCHIVE_MTIME", { at, found: quoted(mtime) });
  for (const name of ["linkname", "rest"] as const) {
    if (!isZero(header, FIELD[name])) throw refuse("E_ARCHIVE_HEADER", { at, field: name });
  }
}

/** UTF-8 up to the first NUL; bytes behind it are seen by some readers only. */
function textField(header: Uint8Array, field: Field, at: number): string {
  const bytes = header.subarray(field.at, field.at + field.bytes);
  const end = bytes.indexOf(0);
  if (end !== -1 && bytes.subarray(end).some((byte) => byte !== 0)) {
    throw refuse("E_ARCHIVE_HEADER", { at, found: "bytes after the end of a name" });
  }
  return decodePath(end === -1 ? bytes : bytes.subarray(0, end), at);
}

export function decodePath(bytes: Uint8Array, at: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refuse("E_ARCHIVE_PATH_UTF8", { at }, cause);
  }
}

function ascii(header: Uint8Array, field: Field): string {
  return Buffer.from(header.subarray(field.at, field.at + field.bytes)).toString("latin1");
}

function isZero(header: Uint8Array, field: Field): boolean {
  return header.subarray(field.at, field.at + field.bytes).every((byte) => byte === 0);
}

/** Header bytes as a fact: without signs that act on a terminal. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, "?");
}
