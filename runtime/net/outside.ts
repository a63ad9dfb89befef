import { lookup } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { absoluteName } from "./absolute-name.ts";
import { authorities } from "./authorities.ts";

/** A place that was checked. `tls`: the name that the other side must prove, which is also the one it is asked for (SNI). */
export type Place = { address: string; port: number; tls?: { name: string } };

/** The network, as far as it goes out. Tests bring one that lies. */
export type NetOutside = {
  /** Every address of a name, once. */
  resolve(name: string): Promise<readonly string[]>;
  /** Ready to write to; with `tls` only after the other side has proved its name. */
  connect(place: Place, signal: AbortSignal): Promise<Socket>;
};

export const REAL_NET: NetOutside = {
  async resolve(name) {
    const whole = absoluteName(name, readFileSync("/proc/self/environ", "latin1"));
    return (await lookup(whole, { all: true, verbatim: true })).map(({ address }) => address);
  },
  connect: (place, signal) => opened(place, signal),
};

/** `trust`: certificates to trust instead of the system's; `at`: where the place really is. Both are for tests. */
export function opened(
  { address, port, tls }: Place,
  signal: AbortSignal,
  { trust, at }: { trust?: string; at?: { host: string; port: number } } = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = at ?? { host: address, port };
    const named = tls === undefined || /^[\d.]+$|:/.test(tls.name) ? {} : { servername: tls.name };
    const secured = {
      ...to,
      ...named,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      ...(trust === undefined ? { secureContext: authorities() } : { ca: trust }),
    };
    const socket = tls === undefined ? connectPlain(to) : connectTls(secured);
    const stop = () => socket.destroy(new Error("no time was left"));
    signal.addEventListener("abort", stop);
    socket.once("close", () => {
      signal.removeEventListener("abort", stop);
      reject(new Error("closed before it was open"));
    });
    socket.on("error", reject); // for good: an error that nobody listens to would end the process
    socket.once(tls === undefined ? "connect" : "secureConnect", () => resolve(socket));
    if (signal.aborted) stop();
  });
}
