import { isOurHeader } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { Net } from "./dial.ts";
import { request } from "./request.ts";

/** Of a body, in each direction: a line of the wire must hold it in base64. */
const MAX_FETCH_BYTES = 4 * 1024 * 1024;

const name = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/);
const value = z
  .string()
  .max(16_384)
  .regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/);

/** `ctx.fetch(url, init)` as it comes over the wire; a body is text or base64. */
const fetchArgs = z.union([
  z.tuple([z.string().max(16_384)]),
  z.tuple([
    z.string().max(16_384),
    z
      .strictObject({
        method: z
          .string()
          .regex(/^[A-Za-z]{1,16}$/)
          .optional(),
        headers: z.record(name, value).optional(),
        body: z.string().optional(),
        base64: z.base64().optional(),
      })
      .nullable(),
  ]),
]);

export type Fetched = { status: number; url: string; headers: [string, string][]; base64: string };

const NEVER = new Set(["CONNECT", "TRACE", "TRACK"]);
const MAX_HEADERS = 100;

/** One request of a handler. E_CAPABILITY, E_NET_…. */
export async function fetchFor(args: unknown, net: Net, signal: AbortSignal): Promise<Fetched> {
  const parsed = fetchArgs.safeParse(args);
  if (!parsed.success) throw refuse("E_NET_REQUEST", { found: parsed.error.issues[0]?.message ?? "" });
  const [url, init] = parsed.data;
  const { headers = {}, body, base64 } = init ?? {};
  const method = (init?.method ?? "GET").toUpperCase();
  const named = Object.entries(headers).map(([each, text]): [string, string] => [each.toLowerCase(), text]);
  const wrong = named.find(([each]) => isOurHeader(each) && each !== "content-type")?.[0];
  if (NEVER.has(method) || wrong !== undefined || named.length > MAX_HEADERS)
    throw refuse("E_NET_REQUEST", { found: wrong ?? method });
  const bytes = base64 === undefined ? Buffer.from(body ?? "") : Buffer.from(base64, "base64");
  if (bytes.byteLength > MAX_FETCH_BYTES) throw refuse("E_NET_TOO_LARGE", { maxBytes: MAX_FETCH_BYTES });
  const wanted = { method, headers: named, body: bytes, maxBytes: MAX_FETCH_BYTES };
  const answered = await request(url, wanted, net, signal);
  return {
    ...{ status: answered.status, url: answered.url, base64: Buffer.from(answered.body).toString("base64") },
    headers: answered.headers.map(([each, text]) => [each, text]),
  };
}
