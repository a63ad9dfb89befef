import { refuse } from "../faults.ts";
import type { Inlet } from "./inlet.ts";

export type Headers = readonly (readonly [name: string, value: string])[];
/** A request or response without its body; header names are lower case. */
export type Head = { start: string; headers: Headers };

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_HEADERS = 200;
const MAX_LINE_BYTES = 4096;

/** The head of an HTTP/1.1 message, strictly: a sign that two readers could read in two ways is a fault. E_NET_MESSAGE. */
export async function readHead(inlet: Inlet): Promise<Head | undefined> {
  const text = await inlet.until("\r\n\r\n", MAX_HEAD_BYTES);
  if (text === undefined) return undefined;
  const [start = "", ...lines] = text.split("\r\n");
  if (lines.length > MAX_HEADERS || !PLAIN.test(start)) throw broken("head");
  const headers = lines.map((line): [string, string] => {
    const [, name = "", value = ""] = HEADER.exec(line) ?? [];
    if (name === "") throw broken("header");
    return [name.toLowerCase(), value];
  });
  return { start, headers };
}

const PLAIN = /^[\u0021-\u007e\u0080-\u00ff]+( [\u0020-\u007e\u0080-\u00ff]*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\u0020-\u007e\u0080-\u00ff]*?)[ \t]*$/;

/** How a body is framed. `toEnd` is a response's way only. */
export type Framing = { chunked: true } | { bytes: number } | { toEnd: true };

export function framingOf(headers: Headers, otherwise: Framing): Framing {
  const coding = valuesOf(headers, "transfer-encoding");
  const lengths = valuesOf(headers, "content-length");
  if (coding.length > 0) {
    if (lengths.length > 0 || coding.length > 1 || coding[0]?.toLowerCase() !== "chunked") throw broken("framing");
    return { chunked: true };
  }
  const [length] = lengths;
  if (length === undefined) return otherwise;
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) throw broken("length");
  return { bytes: Number(length) };
}

/** The body as it was meant, whole. E_NET_TOO_LARGE above `maxBytes`, E_NET_MESSAGE. */
export async function readBody(inlet: Inlet, framing: Framing, maxBytes: number): Promise<Uint8Array> {
  if ("bytes" in framing) {
    if (framing.bytes > maxBytes) throw tooLarge(maxBytes);
    return inlet.take(framing.bytes);
  }
  const parts: Uint8Array[] = [];
  let total = 0;
  const keep = (part: Uint8Array) => {
    total += part.byteLength;
    if (total > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  };
  if ("toEnd" in framing) for (let part = await inlet.some(); part !== undefined; part = await inlet.some()) keep(part);
  else for await (const part of chunks(inlet, () => maxBytes - total)) keep(part);
  return Buffer.concat(parts);
}

async function* chunks(inlet: Inlet, room: () => number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const [, digits] =
      /^([0-9a-fA-F]{1,8})(?:[ \t]*;.*)?$/.exec((await inlet.until("\r\n", MAX_LINE_BYTES)) ?? "") ?? [];
    if (digits === undefined) throw broken("chunk");
    const size = Number.parseInt(digits, 16);
    if (size === 0) break;
    if (size > room()) throw tooLarge(room());
    yield await inlet.take(size);
    if ((await inlet.until("\r\n", 0)) !== "") throw broken("chunk");
  }
  for (let n = 0; (await inlet.until("\r\n", MAX_LINE_BYTES)) !== ""; n++) if (n > MAX_HEADERS) throw broken("trailer");
}

export function valuesOf(headers: Headers, name: string): string[] {
  return headers.flatMap(([each, value]) => (each === name ? [value] : []));
}

/** A message as bytes. Names and values were checked where they came from. */
export function headText(start: string, headers: Headers): string {
  return `${[start, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`;
}

function broken(found: string) {
  return refuse("E_NET_MESSAGE", { found });
}

function tooLarge(maxBytes: number) {
  return refuse("E_NET_TOO_LARGE", { maxBytes });
}
