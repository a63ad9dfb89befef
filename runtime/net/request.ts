import { isFault } from "@hookpkg/fault";
import { type NetTarget, netTarget } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { allow, dial, type Net } from "./dial.ts";
import { Inlet, send } from "./inlet.ts";
import { framingOf, type Headers, headText, readBody, readHead, valuesOf } from "./message.ts";

/** `maxBytes` of the response's body. */
export type Wanted = { method: string; headers: Headers; body: Uint8Array; maxBytes: number };
export type Answered = { status: number; headers: Headers; body: Uint8Array };

const MAX_REDIRECTS = 5;
const MAX_INTERIM = 5;
/** What may go along to a host that the sender did not name. */
const HARMLESS = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/**
 * A request and its answer. Each redirect is checked as if it were the first; another host gets no header that could be a secret.
 * `keepsMethod`: a redirect that would turn it into a GET is given back as it is.
 */
export async function request(
  url: string,
  wanted: Wanted & { keepsMethod?: boolean },
  net: Net,
  signal: AbortSignal,
): Promise<Answered & { url: string }> {
  let [at, now]: [string, Wanted] = [url, wanted];
  for (let n = 0; n <= MAX_REDIRECTS; n++) {
    const target = targetOf(at, net);
    const answered = await exchange(target, now, net, signal);
    const [location] = valuesOf(answered.headers, "location");
    const next = location === undefined ? undefined : redirected(answered.status, now);
    if (next === undefined || location === undefined) return { ...answered, url: at };
    if (wanted.keepsMethod && next.method !== now.method) return { ...answered, url: at };
    if (!URL.canParse(location, at)) throw refuse("E_NET_URL", { url: location.slice(0, 200) });
    at = /^https?:/i.test(location) ? location : new URL(location, at).href;
    const isOther = targetOf(at, net).net !== target.net;
    now = isOther ? { ...next, headers: next.headers.filter(([name]) => HARMLESS.has(name)) } : next;
  }
  throw refuse("E_NET_REDIRECTS", { maxRedirects: MAX_REDIRECTS });
}

/** One request on a connection of its own, and its answer. */
export async function exchange(target: NetTarget, wanted: Wanted, net: Net, signal: AbortSignal): Promise<Answered> {
  const socket = await dial(target, net, signal, target.tls ? { name: target.name } : undefined);
  const stop = () => socket.destroy(new Error("no time was left"));
  signal.addEventListener("abort", stop);
  try {
    const { method, headers, body, maxBytes } = wanted;
    const length: Headers = body.byteLength > 0 || method !== "GET" ? [["content-length", `${body.byteLength}`]] : [];
    const ours: Headers = [["host", target.host], ...length, ["accept-encoding", "identity"], ["connection", "close"]];
    const head = headText(`${method} ${target.path} HTTP/1.1`, [...ours, ...headers]);
    const inlet = new Inlet(socket);
    // Who refuses a request may answer before it has all of it, and leave.
    const sent = send(socket, Buffer.concat([Buffer.from(head, "latin1"), body])).catch(() => {});
    const answered = await answerOf(inlet, method, maxBytes);
    void sent;
    return answered;
  } catch (cause) {
    if (signal.aborted) throw refuse("E_NET_LATE", { net: target.net }, cause);
    if (isFault(cause)) throw cause;
    throw refuse("E_NET_UNREACHABLE", { net: target.net, said: String(cause).slice(0, 200) }, cause);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

async function answerOf(inlet: Inlet, method: string, maxBytes: number): Promise<Answered> {
  for (let n = 0; n <= MAX_INTERIM; n++) {
    const head = await readHead(inlet);
    const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)( |$)/.exec(head?.start ?? "")?.[1] ?? 0);
    if (head === undefined || status === 0 || status === 101) throw refuse("E_NET_MESSAGE", { found: "status" });
    if (status < 200) continue;
    const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
    const framing = hasBody ? framingOf(head.headers, { toEnd: true }) : { bytes: 0 };
    return { status, headers: head.headers, body: await readBody(inlet, framing, maxBytes) };
  }
  throw refuse("E_NET_MESSAGE", { found: "no answer" });
}

function redirected(status: number, wanted: Wanted): Wanted | undefined {
  if (status === 307 || status === 308) return wanted;
  if (status !== 301 && status !== 302 && status !== 303) return undefined;
  if (wanted.method === "GET" || wanted.method === "HEAD") return wanted;
  const headers = wanted.headers.filter(([name]) => name !== "content-type");
  return { ...wanted, method: "GET", headers, body: new Uint8Array() };
}

function targetOf(url: string, net: Net): NetTarget {
  const target = netTarget(url);
  if (target === undefined) {
    net.denied.add(`net ${url.split(/[?#]/)[0]?.replace(/\/\/[^/]*@/, "//")}: no plain address of a named host`);
    throw refuse("E_NET_URL", { url: url.slice(0, 200) });
  }
  allow(target.net, net);
  return target;
}
