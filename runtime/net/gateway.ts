import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { LOOPBACK_NAMES, type NetTarget, netName, netTarget } from "@hookpkg/spec";
import { clientHello, MAX_HELLO_BYTES } from "./client-hello.ts";
import { allow, dial, type Net, type Target } from "./dial.ts";
import { Inlet, send } from "./inlet.ts";
import { framingOf, type Head, type Headers, headText, readBody, readHead, valuesOf } from "./message.ts";
import { exchange } from "./request.ts";

/** A command's way out: an HTTP proxy on a socket that only its own sandbox sees. */
export type Gateway = { socket: string; close(): void };

const MAX_CONNECTIONS = 32;
/** Of one connection, in each direction. */
const MAX_TUNNEL_BYTES = 256 * 1024 * 1024;
/** Of plain HTTP, which is read whole: all connections together hold no more than a process of ours can spare. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** From the beginning of a connection to the first byte that goes out. */
const OPENING_MS = 15_000;
const MAX_CONNECTION_MS = 10 * 60 * 1000;

/** Listens at once. `owner`: who may connect, when that is another user than we are. */
export function openGateway(net: Net, owner?: number): Gateway {
  const folder = mkdtempSync("/tmp/hookpkg-net-"); // short: a socket's path has 108 bytes
  const socket = join(folder, "proxy.sock");
  const open = new Set<Socket>();
  const server = createServer((client) => {
    client.on("error", () => {});
    if (open.size >= MAX_CONNECTIONS) {
      client.destroy();
      return;
    }
    open.add(client);
    client.once("close", () => open.delete(client));
    void serve(client, net).finally(() => client.destroy());
  });
  server.on("error", () => {});
  server.listen(socket);
  chmodSync(socket, 0o600);
  if (owner !== undefined) chownSync(socket, owner, owner);
  return {
    socket,
    close() {
      server.close();
      for (const client of open) client.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One connection carries one request: what comes after it has no way out. */
async function serve(client: Socket, net: Net): Promise<void> {
  const control = new AbortController();
  const stop = () => {
    control.abort();
    client.destroy();
  };
  const opening = setTimeout(stop, OPENING_MS);
  const whole = setTimeout(stop, MAX_CONNECTION_MS);
  client.once("close", stop);
  const inlet = new Inlet(client);
  try {
    const head = await readHead(inlet);
    if (head === undefined) return;
    const [, method = "", address = ""] = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]$/.exec(head.start) ?? [];
    const trip = { client, inlet, net, signal: control.signal, opened: () => clearTimeout(opening) };
    if (method === "CONNECT") await tunnel(trip, address);
    else await forward(trip, method, address, head);
  } catch {
    await refuseClient(client).catch(() => {});
  } finally {
    clearTimeout(opening);
    clearTimeout(whole);
  }
}

type Trip = { client: Socket; inlet: Inlet; net: Net; signal: AbortSignal; opened: () => void };

async function refuseClient(client: Socket): Promise<void> {
  const text = "hookpkg: not allowed, or not reachable; hookpkg log says which\n";
  const headers: Headers = [
    ["content-type", "text/plain"],
    ["content-length", `${text.length}`],
    ["connection", "close"],
  ];
  await send(client, headText("HTTP/1.1 403 Forbidden", headers) + text);
}

/** Only TLS goes through, and only to the name that it was opened for: the host proves that name to the client inside. */
async function tunnel({ client, inlet, net, signal, opened }: Trip, address: string): Promise<void> {
  const target = named(address, net);
  const up = await dial(target, net, signal);
  const stop = () => up.destroy();
  signal.addEventListener("abort", stop);
  try {
    await send(client, "HTTP/1.1 200 OK\r\n\r\n");
    if (!(await isHelloFor(target, inlet, net))) return;
    opened();
    await Promise.race([pump(inlet, up), pump(new Inlet(up), client)]);
  } finally {
    signal.removeEventListener("abort", stop);
    up.destroy();
  }
}

function named(address: string, net: Net): Target {
  const name = /:\d+$/.test(address) ? netName(address) : undefined;
  if (name === undefined || name !== address.toLowerCase()) {
    net.denied.add(`net ${address}: no plain name of a host`);
    throw new Error("no name");
  }
  allow(name, net);
  const at = name.lastIndexOf(":");
  return { net: name, name: name.slice(0, at), port: Number(name.slice(at + 1)) };
}

async function isHelloFor({ net: declared, name }: Target, inlet: Inlet, { denied }: Net): Promise<boolean> {
  for (let hello = clientHello(inlet.rest); ; hello = clientHello(inlet.rest)) {
    if (hello.is === "other") denied.add(`net ${declared}: what was sent is not TLS`);
    else if (hello.is === "more") {
      if (inlet.rest.byteLength <= MAX_HELLO_BYTES && (await inlet.more())) continue;
    } else if (hello.isEncrypted) denied.add(`net ${declared}: the name that TLS asks for is encrypted`);
    else if (hello.name === name || (hello.name === undefined && LOOPBACK_NAMES.has(name))) return true;
    else denied.add(`net ${declared}: TLS asks for ${hello.name ?? "no name"}`);
    return false;
  }
}

async function pump(from: Inlet, to: Socket): Promise<void> {
  let total = 0;
  for (let bytes = await from.some(); bytes !== undefined; bytes = await from.some()) {
    total += bytes.byteLength;
    if (total > MAX_TUNNEL_BYTES) return;
    await send(to, bytes);
  }
}

/** Plain HTTP, as a proxy is asked for it: read whole, sent anew in our own words, one request only. */
async function forward({ client, inlet, net, signal, opened }: Trip, method: string, url: string, head: Head) {
  const target = plainTarget(url, head, net);
  allow(target.net, net);
  const body = await readBody(inlet, framingOf(head.headers, { bytes: 0 }), MAX_BODY_BYTES);
  opened();
  if (inlet.rest.byteLength > 0) {
    net.denied.add(`net ${target.net}: a second request on one connection`);
    throw new Error("a second request");
  }
  const wanted = { method, body, headers: endToEnd(head.headers), maxBytes: MAX_BODY_BYTES };
  const { status, headers, body: answer } = await exchange(target, wanted, net, signal);
  const length: Headers = method === "HEAD" ? [] : [["content-length", `${answer.byteLength}`]];
  const start = `HTTP/1.1 ${status} ${status < 400 ? "OK" : "Refused"}`;
  const text = headText(start, [...endToEnd(headers), ...length, ["connection", "close"]]);
  await send(client, Buffer.concat([Buffer.from(text, "latin1"), answer]));
  client.end();
}

/** The address as it stands, not as a parser would put it right; a Host header that says otherwise is another request. */
function plainTarget(url: string, { headers }: Head, net: Net): NetTarget {
  const target = netTarget(url);
  const hosts = valuesOf(headers, "host").map((host) => netName(host, 80));
  if (target !== undefined && !target.tls && hosts.length <= 1 && hosts.every((host) => host === target.net))
    return target;
  net.denied.add(`net ${target?.net ?? url.slice(0, 100)}: no plain request to a named host`);
  throw new Error("no plain request");
}

const HOP_BY_HOP = new Set(
  "host connection keep-alive te trailer transfer-encoding upgrade expect content-length accept-encoding".split(" "),
);

function endToEnd(headers: Headers): Headers {
  const named = new Set(valuesOf(headers, "connection").flatMap((list) => list.toLowerCase().split(/[\s,]+/)));
  return headers.filter(([name]) => !HOP_BY_HOP.has(name) && !name.startsWith("proxy-") && !named.has(name));
}
