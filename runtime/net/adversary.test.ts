import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { isFault } from "@hookpkg/fault";
import { request, type Wanted } from "./request.ts";
import { netOf, PUBLIC, testNet } from "./test-net.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

type Said = string | ((socket: Socket) => void);

/** Says the same to everybody, by what was asked for, and never hangs up by itself. */
async function serving(say: (path: string) => Said) {
  const heads: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.once("data", (bytes) => {
      heads.push(bytes.toString());
      const said = say(bytes.toString().split(" ")[1] ?? "");
      if (typeof said === "string") socket.write(said);
      else said(socket);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, heads };
}

const OK = "HTTP/1.1 200 OK\r\n";
const EMPTY = `${OK}content-length: 0\r\n\r\n`;
const to = (location: string) => `HTTP/1.1 307 x\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  ...{ method: "POST", headers: [["authorization", "s3cret"]], body: Buffer.from("{}"), maxBytes: 1000, ...more },
});
const soon = () => AbortSignal.timeout(10_000);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );

describe("a server that means harm", () => {
  const asked = async (said: Said, signal = soon()) => {
    const { port } = await serving(() => said);
    const { outside } = testNet({}, { "127.0.0.1:8080": port });
    return request("http://127.0.0.1:8080/", wanted(), netOf(outside, "127.0.0.1:8080"), signal);
  };
  const dripping = (first: string, drop: string) => (socket: Socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), 5);
    socket.on("close", () => clearInterval(timer));
  };

  test.each([
    ["head", dripping(`${OK}a: `, "b")],
    ["body", dripping(`${OK}content-length: 900\r\n\r\n`, "")],
    ["body in chunks that never begin", dripping(`${OK}transfer-encoding: chunked\r\n\r\n`, "0")],
  ])("a %s that comes drop by drop ends with the time or its limit", async (_, said) => {
    expect(["E_NET_LATE", "E_NET_MESSAGE"]).toContain(await codeOf(asked(said, AbortSignal.timeout(300))));
  });

  test.each([
    ["answers before the answer", `${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(7)}${EMPTY}`],
    ["headers", `${OK}${"a: b\r\n".repeat(201)}content-length: 0\r\n\r\n`],
    ["trailers", `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${"a: b\r\n".repeat(300)}\r\n`],
  ])("too many %s are a fault", async (_, said) => {
    expect(await codeOf(asked(said))).toBe("E_NET_MESSAGE");
  });

  test.each([
    ["gzip", "transfer-encoding: gzip\r\n"],
    ["chunked and gzip", "transfer-encoding: chunked\r\ntransfer-encoding: gzip\r\n"],
    ["gzip, chunked", "transfer-encoding: gzip, chunked\r\n"],
  ])("a transfer in %s is a fault", async (_, header) => {
    expect(await codeOf(asked(`${OK}${header}\r\n0\r\n\r\n`))).toBe("E_NET_MESSAGE");
  });

  test("a length of nearly a petabyte is refused before a byte of it", async () => {
    expect(await codeOf(asked(`${OK}content-length: 999999999999999\r\n\r\n`))).toBe("E_NET_TOO_LARGE");
  });

  test("204 has no body, and none is waited for", async () => {
    expect((await asked("HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n")).body.byteLength).toBe(0);
  });

  test("it is asked for nothing compressed", async () => {
    const { port, heads } = await serving(() => EMPTY);
    const { outside } = testNet({}, { "127.0.0.1:8080": port });
    await request("http://127.0.0.1:8080/", wanted(), netOf(outside, "127.0.0.1:8080"), soon());
    expect(heads[0]?.toLowerCase()).toContain("\r\naccept-encoding: identity\r\n");
  });
});

describe("a resolver that lies", () => {
  const led = async (...addresses: string[]) => {
    const { outside, dialled } = testNet({ "api.example.com": addresses }, {});
    const code = await codeOf(
      request("http://api.example.com/", wanted(), netOf(outside, "api.example.com:80"), soon()),
    );
    return [code, dialled];
  };

  test.each(
    "0x7f.1 0177.0.0.1 2130706433 127.1 127.0.0.1. ::0.0.0.1 ::ffff:7f00:1 2002:7f00:1:: 64:ff9b::7f00:1 fe80::1%eth0 fd00:ec2::254 localhost".split(
      " ",
    ),
  )("and calls %s an address", async (address) => {
    expect(await led(address)).toEqual(["E_NET_ADDRESS", []]);
    expect(await led(PUBLIC, address)).toEqual(["E_NET_ADDRESS", []]);
  });

  test("and has no end of addresses", async () => {
    expect(await led(...Array.from({ length: 33 }, (_, n) => `93.184.216.${n + 1}`))).toEqual([
      "E_NET_UNREACHABLE",
      [],
    ]);
  });

  test("and changes its mind for the redirect", async () => {
    const { port, heads } = await serving(() => to("http://api.example.com/again"));
    let n = 0;
    const { outside, dialled } = testNet(
      { "api.example.com": () => [n++ === 0 ? PUBLIC : "127.0.0.1"] },
      { [`${PUBLIC}:80`]: port, "127.0.0.1:80": port },
    );
    const net = netOf(outside, "api.example.com:80");
    expect(await codeOf(request("http://api.example.com/", wanted(), net, soon()))).toBe("E_NET_ADDRESS");
    expect([dialled, heads.length]).toEqual([[`${PUBLIC}:80`], 1]);
  });
});

describe("a redirect", () => {
  const redirected = async (location: string, ...allowed: string[]) => {
    const { port, heads } = await serving((path) => (path === "/" ? to(location) : EMPTY));
    const places = { [`${PUBLIC}:80`]: port, [`${PUBLIC}:8080`]: port, "127.0.0.1:8080": port };
    const { outside } = testNet({ "api.example.com": [PUBLIC], localhost: ["127.0.0.1"] }, places);
    const net = netOf(outside, "api.example.com:80", "localhost:8080", "127.0.0.1:8080", ...allowed);
    return { code: await codeOf(request("http://api.example.com/", wanted(), net, soon())), heads };
  };

  test("to another port of the host loses its secrets, on the same it keeps them", async () => {
    const other = await redirected("http://api.example.com:8080/next", "api.example.com:8080");
    expect([other.code, other.heads[1]?.includes("POST /next"), other.heads[1]?.includes("s3cret")]).toEqual([
      ...["none", true, false],
    ]);
    const same = await redirected("/next");
    expect([same.code, same.heads[1]?.includes("s3cret")]).toEqual(["none", true]);
  });

  test.each(
    "http://0x7f000001:8080/x http://2130706433:8080/x http://127.1:8080/x http://localhost.:8080/x http://[::ffff:7f00:1]:8080/x http://u@localhost:8080/x //u@localhost:8080/x".split(
      " ",
    ),
  )("to a declared place by another name is none: %s", async (location) => {
    const { code, heads } = await redirected(location);
    expect([code, heads.length]).toEqual(["E_NET_URL", 1]);
  });

  test("goes on five times and no more", async () => {
    const { port, heads } = await serving(() => to("/"));
    const { outside } = testNet({}, { "127.0.0.1:8080": port });
    const net = netOf(outside, "127.0.0.1:8080");
    expect(await codeOf(request("http://127.0.0.1:8080/", wanted(), net, soon()))).toBe("E_NET_REDIRECTS");
    expect(heads).toHaveLength(6);
  });
});
