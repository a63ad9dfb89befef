import { BYTES_TYPE, JSON_TYPE, MAX_REQUEST_BYTES, refuseRequest } from "@hookpkg/protocol";
import { parseJson } from "@hookpkg/spec";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A body's bytes as they come; nobody has counted them yet. */
export type Body = AsyncIterable<Uint8Array>;

const MAX_REQUEST_MS = 30_000;
const MAX_REQUEST_DEPTH = 8;

/** Reads a JSON body within its limits and holds it to `schema`; an unknown or doubled field refuses. */
export async function readJson<T extends TSchema>(request: Request, schema: T): Promise<Static<T>> {
  requireType(request, JSON_TYPE);
  const bytes = await readBytes(bodyOf(request, MAX_REQUEST_BYTES), MAX_REQUEST_BYTES, MAX_REQUEST_MS);
  const value = parseJson(bytes, { maxBytes: MAX_REQUEST_BYTES, maxDepth: MAX_REQUEST_DEPTH });
  if (Value.Check(schema, value)) return value;
  const first = Value.Errors(schema, value).First();
  throw refuseRequest("E_REGISTRY_REQUEST", { where: first?.path ?? "", expected: first?.message ?? "" });
}

/** The body of an upload of bytes. A length that is said to be too large refuses before the first byte. */
export function readUpload(request: Request, maxBytes: number): Body {
  requireType(request, BYTES_TYPE);
  return bodyOf(request, maxBytes);
}

function requireType(request: Request, expected: string): void {
  const found = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (found !== expected) throw refuseRequest("E_REGISTRY_MEDIA_TYPE", { expected, found: found.slice(0, 100) });
  // Nothing is unpacked here: what is hashed is what was sent.
  if (encoding !== "identity") throw refuseRequest("E_REGISTRY_MEDIA_TYPE", { encoding: encoding.slice(0, 100) });
}

function bodyOf(request: Request, maxBytes: number): Body {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    throw refuseRequest("E_REGISTRY_BODY_TOO_LARGE", { maxBytes });
  }
  return request.body ?? nothing();
}

async function readBytes(body: Body, maxBytes: number, maxMs: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  await eachPart(body, maxMs, async (part) => {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw refuseRequest("E_REGISTRY_BODY_TOO_LARGE", { maxBytes });
    parts.push(part);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Hands every part of a body to `take`, for at most `maxMs` in all: a sender may stall or drip for ever. */
export async function eachPart(body: Body, maxMs: number, take: (part: Uint8Array) => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const timer = setTimeout(() => late.reject(refuseRequest("E_REGISTRY_TIMEOUT_BODY", { maxMs })), maxMs);
  const parts = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await Promise.race([parts.next(), late.promise]);
      if (part.done) return;
      await take(part.value);
    }
  } catch (error) {
    // Not awaited: a sender that stalls would hold us here.
    parts.return?.()?.catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function* nothing(): Body {}
