import type { Socket } from "node:net";
import { LOOPBACK_NAMES, type NetTarget } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { reachOf } from "./address.ts";
import type { Denials } from "./denials.ts";
import type { NetOutside, Place } from "./outside.ts";

/**
 * What one package may reach (`name:port`), and what it was refused. `anywhere`: the person named the host themselves, so it may lead
 * into their own network.
 */
export type Net = { allowed: readonly string[]; denied: Denials; outside: NetOutside; anywhere?: true };

export type Target = Pick<NetTarget, "net" | "name" | "port">;

/** More answers than this are an attack on whoever would try them all. */
const MAX_ADDRESSES = 32;
const ATTEMPT_MS = 2000;

/**
 * The one way out, for everything: the name must be declared, it is resolved once, every address that it has must be allowed, and exactly
 * one of those is dialled. E_CAPABILITY, E_NET_ADDRESS, E_NET_UNREACHABLE.
 */
export async function dial(target: Target, net: Net, signal: AbortSignal, tls?: { name: string }): Promise<Socket> {
  allow(target.net, net);
  const addresses = await checked(target, net, signal);
  let cause: unknown;
  for (const [n, address] of addresses.entries()) {
    if (signal.aborted) break;
    const place = { address, port: target.port, ...(tls === undefined ? {} : { tls }) };
    try {
      return await attempt(place, net, signal, n < addresses.length - 1);
    } catch (error) {
      cause = error;
    }
  }
  throw refuse(signal.aborted ? "E_NET_LATE" : "E_NET_UNREACHABLE", { net: target.net, said: wordsOf(cause) }, cause);
}

/** One that swallows everything must not take the time of the others. */
async function attempt(place: Place, { outside }: Net, signal: AbortSignal, hasNext: boolean): Promise<Socket> {
  const control = new AbortController();
  const stop = () => control.abort();
  signal.addEventListener("abort", stop, { once: true }); // for as long as the connection is used
  const timer = hasNext ? setTimeout(stop, ATTEMPT_MS) : undefined;
  try {
    return await outside.connect(place, control.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Refuses what was not declared, and keeps that for the journal. */
export function allow(name: string, { allowed, denied }: Net): void {
  if (allowed.includes(name)) return;
  denied.add(`net ${name}: not declared`);
  throw refuse("E_CAPABILITY", { right: "net", name });
}

async function checked({ net: name, name: host }: Target, net: Net, signal: AbortSignal): Promise<readonly string[]> {
  const isOwn = LOOPBACK_NAMES.has(host);
  const addresses = isOwn && host !== "localhost" ? [host.replace(/[[\]]/g, "")] : await resolved(host, net, signal);
  const wanted = (address: string) =>
    isOwn ? reachOf(address) === "loopback" : net.anywhere || reachOf(address) === "public";
  const wrong = addresses.find((address) => !wanted(address));
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES)
    throw refuse("E_NET_UNREACHABLE", { net: name, addresses: addresses.length });
  if (wrong === undefined) return addresses;
  net.denied.add(`net ${name}: it leads to ${wrong}`);
  throw refuse("E_NET_ADDRESS", { net: name, address: wrong });
}

async function resolved(host: string, { outside }: Net, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await Promise.race([outside.resolve(host), aborted(signal)]);
  } catch (cause) {
    throw refuse(signal.aborted ? "E_NET_LATE" : "E_NET_UNREACHABLE", { name: host, said: wordsOf(cause) }, cause);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(new Error("no time was left"));
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.slice(0, 200) : "";
}
