/**
 * The one form of tar header that we write and accept: POSIX ustar, and a pax header only before a path that ustar can't
 * hold. It is written here and not by a library because these bytes are what is hashed and signed: a library is free
 * to change a blank or a device number between versions, and then yesterday's packages would no longer be canonical.
 */
export const BLOCK_BYTES = 512;
export const TOP_FOLDER = "package/";
/** Name fields of entries whose real path stands in the pax header. Readers without pax would write these names. */
const PAX_NAME = "PaxHeader";
const LONG_NAME = `${TOP_FOLDER}long-path`;

export type Field = { readonly at: number; readonly bytes: number };
export const FIELD = {
  name: { at: 0, bytes: 100 },
  mode: { at: 100, bytes: 8 },
  uid: { at: 108, bytes: 8 },
  gid: { at: 116, bytes: 8 },
  size: { at: 124, bytes: 12 },
  mtime: { at: 136, bytes: 12 },
  checksum: { at: 148, bytes: 8 },
  type: { at: 156, bytes: 1 },
  linkname: { at: 157, bytes: 100 },
  magic: { at: 257, bytes: 8 },
  uname: { at: 265, bytes: 32 },
  gname: { at: 297, bytes: 32 },
  devmajor: { at: 329, bytes: 8 },
  devminor: { at: 337, bytes: 8 },
  prefix: { at: 345, bytes: 155 },
  rest: { at: 500, bytes: 12 },
} as const satisfies Record<string, Field>;

/** All blocks that stand before a file's content: one header, or pax header, pax record, header. */
export function encodeHeaders(path: string, executable: boolean, size: number): Buffer {
  const full = TOP_FOLDER + path;
  const mode = executable ? 0o755 : 0o644;
  const split = splitPath(full);
  if (split !== undefined) return encodeHeader({ ...split, type: "0", mode, size });
  const record = paxPathRecord(full);
  return Buffer.concat([
    encodeHeader({ name: PAX_NAME, prefix: "", type: "x", mode: 0o644, size: record.byteLength }),
    padded(record),
    encodeHeader({ name: LONG_NAME, prefix: "", type: "0", mode, size }),
  ]);
}

export function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(padding(bytes.byteLength))]);
}

/** Zero bytes between the end of `size` bytes and the next block. */
export function padding(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Sum of all header bytes, its own field counted as blanks. */
export function checksumOf(header: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    if (at < FIELD.checksum.at || at >= FIELD.checksum.at + FIELD.checksum.bytes) sum += header[at] ?? 0;
  }
  return sum;
}

/** `<length> path=<path>\n`; the length counts its own digits. */
function paxPathRecord(full: string): Buffer {
  const rest = Buffer.from(` path=${full}\n`);
  let length = rest.byteLength + 1;
  while (`${length}`.length + rest.byteLength !== length) length = `${length}`.length + rest.byteLength;
  return Buffer.concat([Buffer.from(`${length}`), rest]);
}

/** The leftmost split that fits, so that there is only one; undefined when none does. */
function splitPath(full: string): { name: string; prefix: string } | undefined {
  if (Buffer.byteLength(full) <= FIELD.name.bytes) return { name: full, prefix: "" };
  for (let slash = full.indexOf("/"); slash !== -1; slash = full.indexOf("/", slash + 1)) {
    const prefix = full.slice(0, slash);
    const name = full.slice(slash + 1);
    if (Buffer.byteLength(prefix) > FIELD.prefix.bytes) return undefined;
    if (Buffer.byteLength(name) <= FIELD.name.bytes) return { name, prefix };
  }
  return undefined;
}

function encodeHeader(entry: { name: string; prefix: string; type: "0" | "x"; mode: number; size: number }): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(entry.name, FIELD.name.at);
  writeOctal(header, FIELD.mode, entry.mode);
  writeOctal(header, FIELD.uid, 0);
  writeOctal(header, FIELD.gid, 0);
  writeOctal(header, FIELD.size, entry.size);
  writeOctal(header, FIELD.mtime, 0);
  header.write(entry.type, FIELD.type.at);
  header.write("ustar\u000000", FIELD.magic.at);
  writeOctal(header, FIELD.devmajor, 0);
  writeOctal(header, FIELD.devminor, 0);
  header.write(entry.prefix, FIELD.prefix.at);
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\u0000 `, FIELD.checksum.at);
  return header;
}

function writeOctal(header: Buffer, field: Field, value: number): void {
  header.write(value.toString(8).padStart(field.bytes - 1, "0"), field.at);
}
