import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { statSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { connect as connectTls } from "node:tls";
import { type Gateway, openGateway } from "./gateway.ts";
import { netOf, PUBLIC, TEST_AUTHORITY, TEST_TLS, testNet } from "./test-net.ts";

const seen: string[] = [];
const echo = async (request: Request) => {
  seen.push(`${request.method} ${request.headers.get("host")} ${new URL(request.url).pathname}`);
  return new Response(`${request.headers.get("host")} ${(await request.text()).length}`);
};
const secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: TEST_TLS, fetch: echo });
const plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: echo });
/** Says nothing, keeps what it hears. */
const heard: string[] = [];
const silent = createServer((socket) =>
  socket.on("data", (bytes) => heard.push(bytes.toString("latin1"))).on("error", () => {}),
);
await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
const silentAddress = silent.address();
const silentPort = typeof silentAddress === "object" ? (silentAddress?.port ?? 0) : 0;

const open: Gateway[] = [];
afterAll(async () => {
  for (const gateway of open) gateway.close();
  silent.close();
  await Promise.all([secure.stop(true), plain.stop(true)]);
});

const names = {
  "api.example.com": [PUBLIC],
  "other.example.com": [PUBLIC],
  "meta.example.com": ["169.254.169.254"],
  "inner.example.com": [PUBLIC, "10.0.0.1"],
};
const places = { [`${PUBLIC}:443`]: secure.port ?? 0, [`${PUBLIC}:80`]: plain.port ?? 0, [`${PUBLIC}:9`]: silentPort };
const ALLOWED = [
  "api.example.com:443",
  "api.example.com:80",
  "api.example.com:9",
  "meta.example.com:80",
  "inner.example.com:443",
];

function gateway() {
  const { outside, dialled, asked } = testNet(names, places);
  const net = netOf(outside, ...ALLOWED);
  const opened = openGateway(net);
  open.push(opened);
  return { socket: opened.socket, denied: () => net.denied.take(), dialled, asked };
}

/** Everything that comes back for these bytes, until the other side ends. */
function say(socket: string, ...texts: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const client = connect(socket);
    let text = "";
    client.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const next = texts.shift();
      if (next !== undefined) client.write(next);
    });
    client.on("error", () => {});
    client.on("close", () => resolve(text));
    client.write(texts.shift() ?? "");
  });
}

async function through(socket: string, authority: string, servername: string): Promise<Socket> {
  const client = connect(socket);
  client.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const [bytes] = await new Promise<[Buffer]>((resolve) => client.once("data", (...all: [Buffer]) => resolve(all)));
  if (!bytes.toString().startsWith("HTTP/1.1 200")) throw new Error(bytes.toString());
  return new Promise((resolve, reject) => {
    const secured = connectTls({ socket: client, servername, ca: TEST_AUTHORITY, ALPNProtocols: ["http/1.1"] });
    secured.once("secureConnect", () => resolve(secured));
    secured.once("error", reject);
    client.once("close", () => reject(new Error("closed")));
  });
}
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(5);
}
const REFUSED = /^HTTP\/1\.1 403 /;

describe("what goes through", () => {
  test("TLS to a declared host that proves its name", async () => {
    const { socket, denied, dialled } = gateway();
    const client = await through(socket, "api.example.com:443", "api.example.com");
    client.write("GET /a HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n");
    let text = "";
    for await (const bytes of client) text += String(bytes);
    expect(text).toContain("api.example.com 0");
    expect([denied(), dialled]).toEqual([[], [`${PUBLIC}:443`]]);
  });

  test("plain HTTP to a declared host, with a body of either framing", async () => {
    const { socket } = gateway();
    const head = "POST http://api.example.com/a HTTP/1.1\r\nHost: api.example.com\r\nProxy-Connection: keep-alive\r\n";
    expect(await say(socket, `${head}Content-Length: 3\r\n\r\nabc`)).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*api\.example\.com 3$/,
    );
    expect(await say(socket, `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`)).toContain(
      "api.example.com 3",
    );
  });

  test("only this user, or the one that the sandbox runs as, can connect", () => {
    const { socket } = gateway();
    expect([socket, dirname(socket)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  });
});

describe("what does not", () => {
  const connects: [string, string][] = [
    ["an undeclared host", "evil.example:443"],
    ["a declared host, another port", "api.example.com:8443"],
    ["a declared name's beginning", "api.example:443"],
    ["a suffix behind it", "api.example.com.evil.example:443"],
    ["a prefix before it", "xapi.example.com:443"],
    ["a name below it", "x.api.example.com:443"],
    ["a trailing dot", "api.example.com.:443"],
    ["an @", "api.example.com:443@evil.example:443"],
    ["an @ the other way", "evil.example@api.example.com:443"],
    ["an IPv4 address", `${PUBLIC}:443`],
    ["a hexadecimal address", "0x5db8d822:443"],
    ["hexadecimal parts", "0x7f.1:443"],
    ["one number", "2130706433:443"],
    ["an octal address", "0177.0.0.1:443"],
    ["an IPv6 address", "[::1]:443"],
    ["a mapped address", "[::ffff:127.0.0.1]:443"],
    ["loopback", "127.0.0.1:443"],
    ["localhost", "localhost:443"],
    ["no port", "api.example.com"],
    ["a port with a sign", "api.example.com:+443"],
    ["a port with a zero", "api.example.com:0443"],
    ["a slash", "api.example.com:443/"],
    ["a percent sign", "api%2eexample.com:443"],
  ];
  test.each(connects)("CONNECT to %s", async (_, authority) => {
    const { socket, denied, dialled } = gateway();
    expect(await say(socket, `CONNECT ${authority} HTTP/1.1\r\n\r\n`)).toMatch(REFUSED);
    expect([denied().length, dialled]).toEqual([1, []]);
  });

  test.each([
    ["NUL in a name", "CONNECT api.example.com\0.evil.example:443 HTTP/1.1\r\n\r\n"],
    ["a newline in a name", "CONNECT api.example.com:443\nHost: evil.example HTTP/1.1\r\n\r\n"],
    ["a tab between", "CONNECT\tapi.example.com:443\tHTTP/1.1\r\n\r\n"],
    ["two targets", "CONNECT api.example.com:443 evil.example:443 HTTP/1.1\r\n\r\n"],
    ["another protocol", "CONNECT api.example.com:443 HTTP/2.0\r\n\r\n"],
    ["a header without a name", "CONNECT api.example.com:443 HTTP/1.1\r\n: x\r\n\r\n"],
    ["an endless head", `CONNECT api.example.com:443 HTTP/1.1\r\n${"a: b\r\n".repeat(20_000)}\r\n`],
    ["SOCKS", "\u0005\u0001\u0000\r\n\r\n"],
  ])("%s", async (_, text) => {
    const { socket, dialled } = gateway();
    expect(await say(socket, text)).toMatch(REFUSED);
    expect(dialled).toEqual([]);
  });

  test.each([
    ["leads to metadata", "CONNECT meta.example.com:80", "169.254.169.254"],
    ["leads inside beside a good address", "CONNECT inner.example.com:443", "10.0.0.1"],
    ["leads to metadata, in plain HTTP", "GET http://meta.example.com/latest", "169.254.169.254"],
  ])("a declared name that %s", async (_, start, address) => {
    const { socket, denied, dialled } = gateway();
    expect(await say(socket, `${start} HTTP/1.1\r\n\r\n`)).toMatch(REFUSED);
    expect([denied(), dialled]).toEqual([[expect.stringContaining(`it leads to ${address}`)], []]);
  });

  test("TLS that asks for another name than the tunnel was opened for", async () => {
    const { socket, denied } = gateway();
    await expect(through(socket, "api.example.com:443", "other.example.com")).rejects.toThrow();
    expect(denied()).toEqual(["net api.example.com:443: TLS asks for other.example.com"]);
  });

  test("a tunnel for something that is not TLS: not one byte arrives", async () => {
    const { socket, denied } = gateway();
    const said = await say(
      socket,
      "CONNECT api.example.com:9 HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    );
    expect(said).toBe("HTTP/1.1 200 OK\r\n\r\n");
    expect([denied(), heard]).toEqual([["net api.example.com:9: what was sent is not TLS"], []]);
  });

  test("bytes that ride along with the CONNECT are looked at like all others", async () => {
    const { socket, denied } = gateway();
    await say(socket, "CONNECT api.example.com:9 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    expect([denied(), heard]).toEqual([["net api.example.com:9: what was sent is not TLS"], []]);
  });

  const GET = "GET http://api.example.com/ok HTTP/1.1\r\nHost: api.example.com\r\n";
  test.each([
    ["a second request behind the first", `${GET}\r\nGET http://evil.example/x HTTP/1.1\r\nHost: evil.example\r\n\r\n`],
    ["one hidden behind a body", `${GET}Content-Length: 1\r\n\r\naGET http://evil.example/x HTTP/1.1\r\n\r\n`],
    [
      "one hidden by two lengths",
      `${GET}Content-Length: 40\r\nContent-Length: 0\r\n\r\nGET http://evil.example/x HTTP/1.1\r\n\r\n`,
    ],
    [
      "one hidden by two framings",
      `${GET}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    ],
    ["an odd coding", `${GET}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["another Host", "GET http://api.example.com/x HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
    ["two Hosts", "GET http://api.example.com/x HTTP/1.1\r\nHost: api.example.com\r\nHost: evil.example\r\n\r\n"],
    ["a Host with a port of its own", "GET http://api.example.com/x HTTP/1.1\r\nHost: api.example.com:81\r\n\r\n"],
    ["userinfo", "GET http://api.example.com@evil.example/x HTTP/1.1\r\n\r\n"],
    ["a backslash", "GET http://api.example.com\\@evil.example/x HTTP/1.1\r\n\r\n"],
    ["TLS by the gateway", "GET https://api.example.com/x HTTP/1.1\r\n\r\n"],
    ["another scheme", "GET ftp://api.example.com/x HTTP/1.1\r\n\r\n"],
    ["no address", "GET /x HTTP/1.1\r\nHost: api.example.com\r\n\r\n"],
    ["an undeclared host", "GET http://evil.example/x HTTP/1.1\r\n\r\n"],
    ["a folded header", `${GET}a: b\r\n c\r\n\r\n`],
    ["a bare newline", `${GET}a: b\nHost: evil.example\r\n\r\n`],
  ])("plain HTTP with %s", async (_, text) => {
    const { socket, dialled } = gateway();
    seen.length = 0;
    expect(await say(socket, text)).toMatch(REFUSED);
    expect([seen, dialled]).toEqual([[], []]);
  });

  test("a request that comes later on the same connection is not read any more", async () => {
    const { socket } = gateway();
    seen.length = 0;
    const said = await say(socket, `${GET}\r\n`, "GET http://api.example.com/later HTTP/1.1\r\n\r\n");
    expect([said.match(/HTTP\/1\.1 /g)?.length, said.toLowerCase().includes("connection: close")]).toEqual([1, true]);
    expect(seen).toEqual(["GET api.example.com /ok"]);
  });

  test("headers that are between client and proxy only stay there", async () => {
    const lines: string[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        lines.push(...Object.keys(request.headers.toJSON()));
        return new Response();
      },
    });
    const { outside } = testNet(names, { [`${PUBLIC}:80`]: server.port ?? 0 });
    const own = openGateway(netOf(outside, "api.example.com:80"));
    await say(
      own.socket,
      `${GET}Proxy-Authorization: Basic x\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nX-End: 1\r\n\r\n`,
    );
    expect(lines.filter((name) => /hop|end|proxy/.test(name))).toEqual(["x-end"]);
    own.close();
    await server.stop(true);
  });

  test("more connections than anybody needs at once are closed, and those that end make room", async () => {
    const { socket } = gateway();
    const idle = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const client = connect(socket);
        await once(client, "connect");
        return client;
      }),
    );
    await until(async () => (await say(socket, `${GET}\r\n`)) === "");
    for (const client of idle) client.destroy();
    await until(async () => (await say(socket, `${GET}\r\n`)).startsWith("HTTP/1.1 200"));
  });

  test("nothing after it was closed", async () => {
    const { outside } = testNet(names, places);
    const own = openGateway(netOf(outside, ...ALLOWED));
    own.close();
    expect(await say(own.socket, GET)).toBe("");
  });
});
