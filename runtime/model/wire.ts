import { isFault } from "@hookpkg/fault";
import { isOurHeader, netTarget } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { Denials } from "../net/denials.ts";
import { valuesOf } from "../net/message.ts";
import type { NetOutside } from "../net/outside.ts";
import { type Answered, exchange } from "../net/request.ts";

const MAX_REPLY_BYTES = 1024 * 1024;
const KEY_HEADERS = ["authorization", "x-api-key"];
/** The SDK's own names its version and this program's. */
const LEFT_OUT = ["user-agent", ...KEY_HEADERS];

/**
 * A `fetch` for the SDK on our own connections: no proxy or certificate of the environment, no redirect, one whole JSON body of limited
 * size. Throws E_MODEL_STATUS for anything but a 200, E_MODEL_REPLY, E_MODEL_UNREACHABLE.
 */
export function fetchBy(outside: NetOutside, { withKey }: { withKey: boolean }): typeof fetch {
  const fetched = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const target = netTarget(String(url));
    if (target === undefined || typeof init.body !== "string") throw refuse("E_MODEL_REPLY", { found: "a request" });
    const wanted = {
      ...{ method: "POST", body: Buffer.from(init.body), maxBytes: MAX_REPLY_BYTES },
      headers: [...headersOf(init, withKey), ["user-agent", "hookpkg"] as const],
    };
    const net = { allowed: [target.net], denied: new Denials(), outside, anywhere: true } as const;
    const answered = await exchange(target, wanted, net, init.signal ?? new AbortController().signal).catch(asOurs);
    return responseOf(answered);
  };
  return Object.assign(fetched, { preconnect: () => {} });
}

function headersOf({ headers }: RequestInit, withKey: boolean): (readonly [string, string])[] {
  const left = withKey ? LEFT_OUT.filter((name) => !KEY_HEADERS.includes(name)) : LEFT_OUT;
  return [...new Headers(headers)].filter(
    ([name]) => name === "content-type" || (!left.includes(name) && !isOurHeader(name)),
  );
}

function responseOf({ status, headers, body }: Answered): Response {
  if (status !== 200) throw refuse("E_MODEL_STATUS", { status }); // a reply's words may repeat what was sent
  const [type = "none"] = valuesOf(headers, "content-type");
  const [coding = "identity"] = valuesOf(headers, "content-encoding");
  if (!/^application\/json\s*(;|$)/i.test(type) || coding !== "identity")
    throw refuse("E_MODEL_REPLY", { found: `${type} ${coding}`.slice(0, 100) });
  return new Response(Buffer.from(body), { status, headers: { "content-type": "application/json" } });
}

function asOurs(error: unknown): never {
  if (!isFault(error) || error.code === "E_NET_LATE") throw error;
  const code = UNREACHED.includes(error.code) ? "E_MODEL_UNREACHABLE" : "E_MODEL_REPLY";
  throw refuse(code, { found: error.code }, error);
}

const UNREACHED = ["E_NET_UNREACHABLE", "E_NET_ADDRESS", "E_CAPABILITY"];
