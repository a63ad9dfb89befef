import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { isFault } from "@hookpkg/fault";
import type { NetOutside } from "./outside.ts";
import { request, type Wanted } from "./request.ts";
import { netOf, PUBLIC, TEST_TLS, testNet } from "./test-net.ts";

const echo = (request: Request) => {
  const { pathname } = new URL(request.url);
  const to = (location: string, status = 307) => new Response(null, { status, headers: { location } });
  if (pathname === "/inside") return to("http://169.254.169.254/latest");
  if (pathname === "/lying") return to("https://lying.example.com/");
  if (pathname === "/other") return to("https://other.example.com/seen");
  if (pathname === "/plain") return to("http://api.example.com/");
  if (pathname === "/file") return to("file:///etc/passwd");
  if (pathname === "/round") return to("/round");
  if (pathname === "/get") return to("/seen", 303);
  if (pathname === "/big") return new Response("x".repeat(5000));
  const { authorization = null, "x-key": key = null, accept = null } = request.headers.toJSON();
  return Response.json({
    method: request.method,
    host: request.headers.get("host"),
    authorization,
    key,
    accept,
    path: pathname,
  });
};
const secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: TEST_TLS, fetch: echo });
const plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: echo });
const raw: Server[] = [];
afterAll(async () => {
  await Promise.all([secure.stop(true), plain.stop(true)]);
  for (const server of raw) server.close();
});

const securePort = secure.port ?? 0;
const plainPort = plain.port ?? 0;
const places = { [`${PUBLIC}:443`]: securePort, [`${PUBLIC}:80`]: plainPort, "127.0.0.1:8080": plainPort };
const names = { "api.example.com": [PUBLIC], "other.example.com": [PUBLIC], "lying.example.com": ["10.0.0.1"] };
const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  ...{ method: "GET", headers: [], body: new Uint8Array(), maxBytes: 100_000 },
  ...more,
});
const soon = () => AbortSignal.timeout(10_000);
const codeOf = async (work: Promise<unknown>) => {
  try {
    await work;
    return "none";
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
};
const json = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

describe("who may be asked", () => {
  test("a declared host, over TLS with its own name", async () => {
    const { outside, asked, dialled } = testNet(names, places);
    const { body } = await request(
      "https://API.example.com/a",
      wanted(),
      netOf(outside, "api.example.com:443"),
      soon(),
    );
    expect(json(body)).toMatchObject({ host: "api.example.com", path: "/a" });
    expect([asked, dialled]).toEqual([["api.example.com"], [`${PUBLIC}:443`]]);
  });

  test("loopback only under a name of its own, with its port", async () => {
    const { outside } = testNet({ localhost: ["127.0.0.1"] }, places);
    for (const name of ["localhost:8080", "127.0.0.1:8080"])
      expect(json((await request(`http://${name}/a`, wanted(), netOf(outside, name), soon())).body)).toMatchObject({
        host: name,
      });
    expect(await codeOf(request("http://localhost:8081/", wanted(), netOf(outside, "localhost:8080"), soon()))).toBe(
      "E_CAPABILITY",
    );
  });

  test.each([
    ["an undeclared host", "https://evil.example.com/"],
    ["another port", "https://api.example.com:8443/"],
    ["another scheme's port", "http://api.example.com/"],
    ["a name below", "https://x.api.example.com/"],
    ["a longer name", "https://api.example.com.evil.example/"],
    ["loopback", "http://127.0.0.1/"],
  ])("not %s", async (_, url) => {
    const { outside, asked, dialled } = testNet(names, places);
    const net = netOf(outside, "api.example.com:443");
    expect(await codeOf(request(url, wanted(), net, soon()))).toBe("E_CAPABILITY");
    expect([asked, dialled, net.denied.take().length]).toEqual([[], [], 1]);
  });

  test.each([
    ..."https://user@api.example.com/ https://api.example.com./ https://0x7f.1/ https://2130706433/ https://[::ffff:7f00:1]/".split(
      " ",
    ),
    ..."https://api.example.com\\@evil.example/ file:///etc/passwd ftp://api.example.com/ https://ａpi.example.com/".split(
      " ",
    ),
  ])("not what is no plain address: %s", async (url) => {
    const { outside, asked } = testNet(names, places);
    expect(await codeOf(request(url, wanted(), netOf(outside, "api.example.com:443"), soon()))).toBe("E_NET_URL");
    expect(asked).toEqual([]);
  });

  test.each(
    "10.0.0.1 127.0.0.1 169.254.169.254 100.64.0.1 ::1 fd00::1 ::ffff:127.0.0.1 64:ff9b::1 0.0.0.0 224.0.0.1".split(
      " ",
    ),
  )("not a declared name that leads to %s, alone or beside a good address", async (address) => {
    for (const answer of [[address], [PUBLIC, address]]) {
      const { outside, dialled } = testNet({ "api.example.com": answer }, places);
      const net = netOf(outside, "api.example.com:443");
      expect(await codeOf(request("https://api.example.com/", wanted(), net, soon()))).toBe("E_NET_ADDRESS");
      expect([dialled, net.denied.take()]).toEqual([[], [`net api.example.com:443: it leads to ${address}`]]);
    }
  });

  test("localhost that leads elsewhere is not dialled", async () => {
    const { outside, dialled } = testNet({ localhost: [PUBLIC] }, places);
    expect(await codeOf(request("http://localhost/", wanted(), netOf(outside, "localhost:80"), soon()))).toBe(
      "E_NET_ADDRESS",
    );
    expect(dialled).toEqual([]);
  });

  test("a name that changes between two answers is asked once: what was checked is what is dialled", async () => {
    let n = 0;
    const rebinding = { "api.example.com": () => [n++ === 0 ? PUBLIC : "127.0.0.1"] };
    const { outside, asked, dialled } = testNet(rebinding, places);
    await request("https://api.example.com/", wanted(), netOf(outside, "api.example.com:443"), soon());
    expect([asked.length, dialled]).toEqual([1, [`${PUBLIC}:443`]]);
  });

  test("another address of the name when the first is closed; nobody when there is none", async () => {
    const { outside, dialled } = testNet({ "api.example.com": ["93.184.216.35", PUBLIC] }, places);
    const net = netOf(outside, "api.example.com:443", "gone.example.com:443");
    expect((await request("https://api.example.com/", wanted(), net, soon())).status).toBe(200);
    expect(dialled).toEqual(["93.184.216.35:443", `${PUBLIC}:443`]);
    expect(await codeOf(request("https://gone.example.com/", wanted(), net, soon()))).toBe("E_NET_UNREACHABLE");
  });

  test("another address when the first swallows everything", async () => {
    const { outside } = testNet({ "api.example.com": ["93.184.216.35", PUBLIC] }, places);
    const swallowing: NetOutside = {
      ...outside,
      connect: (place, signal) =>
        place.address === PUBLIC
          ? outside.connect(place, signal)
          : new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gone")))),
    };
    const net = netOf(swallowing, "api.example.com:443");
    expect((await request("https://api.example.com/", wanted(), net, soon())).status).toBe(200);
  });

  test("a host that proves another name, or none, gets nothing", async () => {
    const { outside } = testNet(
      { "bad.example.com": [PUBLIC] },
      { [`${PUBLIC}:443`]: securePort, [`${PUBLIC}:8443`]: plainPort },
    );
    const net = netOf(outside, "bad.example.com:443", "bad.example.com:8443");
    for (const url of ["https://bad.example.com/", "https://bad.example.com:8443/"])
      expect(await codeOf(request(url, wanted(), net, soon()))).toBe("E_NET_UNREACHABLE");
  });
});

describe("redirects", () => {
  const headers = [
    ["authorization", "Bearer s"],
    ["x-key", "s"],
    ["accept", "text/plain"],
  ] as const;
  const all = ["api.example.com:443", "other.example.com:443", "lying.example.com:443"];
  const asked = (path: string, more: Parameters<typeof request>[1] = wanted({ headers }), allowed = all) => {
    const net = netOf(testNet(names, places).outside, ...allowed);
    return { net, answer: request(`https://api.example.com${path}`, more, net, soon()) };
  };

  test("to another declared host lose what could be a secret", async () => {
    const { body, url } = await asked("/other").answer;
    expect(json(body)).toMatchObject({
      host: "other.example.com",
      authorization: null,
      key: null,
      accept: "text/plain",
    });
    expect(url).toBe("https://other.example.com/seen");
  });

  test.each([
    ["to an undeclared host", "/other", ["api.example.com:443"], "E_CAPABILITY"],
    ["to plain HTTP", "/plain", all, "E_CAPABILITY"],
    ["to an address", "/inside", all, "E_NET_URL"],
    ["to a declared name that leads inside", "/lying", all, "E_NET_ADDRESS"],
    ["to a file", "/file", all, "E_NET_URL"],
    ["without an end", "/round", all, "E_NET_REDIRECTS"],
  ])("%s are not followed", async (_, path, allowed, code) => {
    expect(await codeOf(asked(path, wanted({ headers }), allowed).answer)).toBe(code);
  });

  test("303 makes a GET of it, or is given back where the method counts", async () => {
    const post = wanted({ method: "POST", body: Buffer.from("x"), headers });
    expect(json((await asked("/get", post).answer).body)).toMatchObject({ method: "GET", authorization: "Bearer s" });
    expect((await asked("/get", { ...post, keepsMethod: true }).answer).status).toBe(303);
  });
});

describe("what comes back", () => {
  /** A server that says exactly this, and then waits unless it is to end. */
  const saying = async (text: string, ends = true) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => (ends ? socket.end(text) : socket.write(text)));
    });
    raw.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const { outside } = testNet({}, { [`127.0.0.1:${port}`]: port });
    const name = `127.0.0.1:${port}`;
    return (maxBytes: number, signal = soon(), method = "GET") =>
      request(`http://${name}/`, wanted({ maxBytes, method }), netOf(outside, name), signal);
  };
  const OK = "HTTP/1.1 200 OK\r\n";

  test.each([
    ["a length", `${OK}Content-Length: 2\r\n\r\nhi and more`],
    ["chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n1;x=y\r\nh\r\n1\r\ni\r\n0\r\nx: y\r\n\r\n`],
    ["the end", "HTTP/1.0 200 OK\r\n\r\nhi"],
    ["an answer after an interim one", `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 2\r\n\r\nhi`],
  ])("a body by %s", async (_, text) => {
    expect(Buffer.from((await (await saying(text))(10)).body).toString()).toBe("hi");
  });

  test.each([
    ["not HTTP", "SSH-2.0-x\r\n\r\n"],
    ["nothing", ""],
    ["a body that is cut short", `${OK}Content-Length: 5\r\n\r\nhi`],
    ["a chunk that is cut short", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhi`],
    ["two framings", `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two lengths", `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!`],
    ["a negative length", `${OK}Content-Length: -2\r\n\r\nhi`],
    ["a folded header", `${OK}a: b\r\n c\r\n\r\nhi`],
    ["a bare newline", `${OK}a: b\nc: d\r\n\r\nhi`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"],
    ["an endless head", `${OK}${"a: b\r\n".repeat(20_000)}`],
  ])("%s is a fault", async (_, text) => {
    expect(await codeOf((await saying(text))(10))).toBe("E_NET_MESSAGE");
  });

  test.each([
    ["by length", `${OK}Content-Length: 11\r\n\r\n`],
    ["in one chunk", `${OK}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n`],
    ["in small chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n${"4\r\nxxxx\r\n".repeat(3)}`],
    ["to the end", `${OK}\r\n${"x".repeat(11)}`],
  ])("too much %s is cut off before it is all there", async (_, text) => {
    expect(await codeOf((await saying(text, false))(10))).toBe("E_NET_TOO_LARGE");
  });

  test.each([
    ["a body", `${OK}Content-Length: 5\r\n\r\nhi`],
    ["a head", OK],
    ["silence", ""],
  ])("%s that does not go on ends with the time", async (_, text) => {
    expect(await codeOf((await saying(text, false))(10, AbortSignal.timeout(200)))).toBe("E_NET_LATE");
  });

  test("a name that nobody answers for ends with the time", async () => {
    const net = netOf({ ...testNet({}, {}).outside, resolve: () => new Promise(() => {}) }, "api.example.com:443");
    expect(await codeOf(request("https://api.example.com/", wanted(), net, AbortSignal.timeout(100)))).toBe(
      "E_NET_LATE",
    );
  });

  test("HEAD and 204 have no body, whatever their length says", async () => {
    expect((await (await saying(`${OK}Content-Length: 5\r\n\r\n`))(10, soon(), "HEAD")).body.byteLength).toBe(0);
    expect((await (await saying("HTTP/1.1 204 No Content\r\n\r\n"))(10)).body.byteLength).toBe(0);
  });
});
