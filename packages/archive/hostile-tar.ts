import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_BYTES, checksumOf, FIELD, type Field, padded } from "./header.ts";

/** One step of a recipe in `fixtures/attacks/archive`. Steps append bytes; `gzip` and `truncate` change all bytes so far. */
export type Step =
  | { entry: Entry }
  | { pax: Record<string, string>; type?: string }
  | { paxText: string }
  | { many: { count: number; name: string; digits: number } }
  | { end: true }
  | { zeros: number }
  | { text: string }
  | { hex: string }
  | { gzip: true }
  | { truncate: number };

/** Every text field is written as it is (latin1 but for the name), in place of what we would write. */
type Entry = {
  name?: string;
  nameHex?: string;
  text?: string;
  sizeHex?: string;
  padding?: string;
  checksumForm?: "blank-first";
} & { [field in Exclude<keyof typeof FIELD, "name">]?: string };

export type Attack = { id: string; why: string; want: `E_${string}`; recipe: readonly Step[] };

/** The recorded attacks on archives, sorted by id. For tests of everything that takes an archive from outside. */
export function archiveAttacks(): readonly Attack[] {
  const folder = join(import.meta.dir, "../../fixtures/attacks/archive");
  return readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Attack); // our own data, held by the test
}

/** The bytes of a recipe. Writes what `pack` never would. */
export function buildTar(recipe: readonly Step[]): Uint8Array {
  return new Uint8Array(recipe.reduce(append, Buffer.alloc(0)));
}

function append(soFar: Buffer, step: Step): Buffer {
  if ("gzip" in step) return Buffer.from(Bun.gzipSync(new Uint8Array(soFar)));
  if ("truncate" in step) return soFar.subarray(0, step.truncate);
  return Buffer.concat([soFar, piece(step)]);
}

function piece(step: Exclude<Step, { gzip: true } | { truncate: number }>): Buffer {
  if ("entry" in step) return entryBytes(step.entry);
  if ("pax" in step) return paxBytes(Object.entries(step.pax).map(paxRecord).join(""), step.type ?? "x");
  if ("paxText" in step) return paxBytes(step.paxText, "x");
  if ("many" in step) return manyBytes(step.many);
  if ("end" in step) return Buffer.alloc(2 * BLOCK_BYTES);
  if ("zeros" in step) return Buffer.alloc(step.zeros);
  if ("hex" in step) return Buffer.from(step.hex, "hex");
  return Buffer.from(step.text);
}

function manyBytes(many: { count: number; name: string; digits: number }): Buffer {
  const name = (n: number) => many.name.replace("#", `${n}`.padStart(many.digits, "0"));
  return Buffer.concat(Array.from({ length: many.count }, (_, n) => entryBytes({ name: name(n) })));
}

function paxRecord([key, value]: [string, string]): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  const length = rest + `${rest + `${rest}`.length}`.length;
  return `${length} ${key}=${value}\n`;
}

function paxBytes(text: string, type: string): Buffer {
  return entryBytes({ name: "PaxHeader", type, text });
}

function entryBytes(entry: Entry): Buffer {
  const body = Buffer.from(entry.text ?? "");
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (field: Field, bytes: Buffer) => bytes.copy(header, field.at, 0, field.bytes);
  const text = (name: Exclude<keyof typeof FIELD, "name">, usual: string) =>
    put(FIELD[name], Buffer.from(entry[name] ?? usual, name === "prefix" ? "utf8" : "latin1"));
  put(FIELD.name, entry.nameHex === undefined ? Buffer.from(entry.name ?? "") : Buffer.from(entry.nameHex, "hex"));
  text("mode", "0000644\0");
  text("uid", "0000000\0");
  text("gid", "0000000\0");
  text("size", `${body.byteLength.toString(8).padStart(11, "0")}\0`);
  if (entry.sizeHex !== undefined) put(FIELD.size, Buffer.from(entry.sizeHex, "hex"));
  text("mtime", "00000000000\0");
  text("type", "0");
  text("linkname", "");
  text("magic", "ustar\u000000");
  text("uname", "");
  text("gname", "");
  text("devmajor", "0000000\0");
  text("devminor", "0000000\0");
  text("prefix", "");
  text("rest", "");
  const sum = checksumOf(header).toString(8).padStart(6, "0");
  text("checksum", entry.checksumForm === "blank-first" ? ` ${sum}\0` : `${sum}\0 `);
  const content = padded(body);
  Buffer.from(entry.padding ?? "").copy(content, body.byteLength);
  return Buffer.concat([header, content]);
}
