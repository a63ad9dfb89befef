import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { sha256 } from "@hookpkg/spec";
import { openRegistry, parseRegistryUrl, type RegistryOptions } from "./index.ts";

// Each registry here is a real server that misbehaves in one way.
const servers: { stop(force: boolean): unknown }[] = [];
const sockets: Server[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  for (const server of sockets) server.close();
});

function answering(answer: (request: Request) => Response | Promise<Response>, options: RegistryOptions = {}) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  servers.push(server);
  return openRegistry(`http://127.0.0.1:${server.port}`, options);
}

async function rawAnswering(talk: (socket: Socket) => void, options: RegistryOptions = {}) {
  const server = createServer((socket) => socket.once("data", () => talk(socket)).on("error", () => {}));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  sockets.push(server);
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return openRegistry(`http://127.0.0.1:${port}`, options);
}

const ROOT = '{"logKey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","origin":"a.example","v":1}';
const JSON_HEAD = { "content-type": "application/json" };
const problem = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/problem+json" } });
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "nothing thrown",
    (error) => error.code,
  );

test("a root is read, and its digest is over the bytes", async () => {
  const registry = answering(() => new Response(ROOT, { headers: JSON_HEAD }));
  expect(await registry.root()).toEqual({
    digest: sha256(ROOT),
    key: { name: "a.example", publicKey: new Uint8Array(32) },
  });
});

test("a field added by a newer registry is dropped, a missing one refused", async () => {
  const newer = answering(() => Response.json({ from: 1, to: 2, proof: [], later: true }));
  expect(await newer.consistency(1, 2)).toEqual({ from: 1, to: 2, proof: [] });
  const odd = answering(() => Response.json({ from: 1, to: "2", proof: [] }));
  expect(await codeOf(odd.consistency(1, 2))).toBe("E_REGISTRY_ANSWER");
});

test("304 keeps the old metadata; the tag is sent", async () => {
  const registry = answering((request) => {
    expect(request.headers.get("if-none-match")).toBe('"7"');
    return new Response(null, { status: 304, headers: { etag: '"7"' } });
  });
  expect(await registry.metadata("@acme/no-rm", '"7"')).toEqual({ metadata: null, etag: '"7"' });
});

describe("answers that are refused", () => {
  const bodies: [string, string, () => Response][] = [
    [
      "HTML with 200",
      "E_REGISTRY_CONTENT_TYPE",
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    ],
    ["HTML with 502", "E_REGISTRY_CONTENT_TYPE", () => new Response("<html>", { status: 502 })],
    ["no content type", "E_REGISTRY_CONTENT_TYPE", () => new Response(new Uint8Array(3))],
    ["garbage", "E_REGISTRY_ANSWER", () => new Response("{", { headers: JSON_HEAD })],
    ["bad UTF-8", "E_REGISTRY_ANSWER", () => new Response(Uint8Array.of(0x22, 0xff, 0x22), { headers: JSON_HEAD })],
    ["a key twice", "E_REGISTRY_ANSWER", () => new Response('{"from":1,"from":2}', { headers: JSON_HEAD })],
    ["depth", "E_REGISTRY_ANSWER", () => new Response("[".repeat(900), { headers: JSON_HEAD })],
    ["null", "E_REGISTRY_ANSWER", () => Response.json(null)],
    ["an array", "E_REGISTRY_ANSWER", () => Response.json([])],
    [
      "__proto__",
      "E_REGISTRY_ANSWER",
      () => new Response('{"__proto__":{"from":1,"to":1,"proof":[]}}', { headers: JSON_HEAD }),
    ],
    ["too many bytes", "E_REGISTRY_TOO_LARGE", () => new Response("x".repeat(2000), { headers: JSON_HEAD })],
    [
      "a bomb",
      "E_REGISTRY_TOO_LARGE",
      () =>
        new Response(Bun.gzipSync(Buffer.alloc(1_000_000)), { headers: { ...JSON_HEAD, "content-encoding": "gzip" } }),
    ],
    [
      "another host",
      "E_REGISTRY_REDIRECT",
      () => Response.redirect("http://elsewhere.example/v1/consistency/1/2", 302),
    ],
    ["elsewhere on this host", "E_REGISTRY_REDIRECT", () => Response.redirect("/other", 308)],
    ["a garbled problem", "E_REGISTRY_REFUSED", () => problem(500, { code: 7 })],
    ["an endless problem", "E_REGISTRY_TOO_LARGE", () => problem(500, "x".repeat(100_000))],
  ];
  test.each(bodies)("%s → %s", async (_, code, answer) => {
    expect(await codeOf(answering(answer, { maxMetadataBytes: 1000 }).consistency(1, 2))).toBe(code);
  });

  test("a stream without end is cut at the limit", async () => {
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
        }),
        { headers: { "content-type": "application/octet-stream" } },
      );
    const registry = answering(endless, { maxBlobBytes: 1_000_000 });
    expect(await codeOf(registry.blob(sha256("")))).toBe("E_REGISTRY_TOO_LARGE");
  });

  test("a server that never answers, and one that never ends, take no longer than allowed", async () => {
    const silent = await rawAnswering(() => {}, { maxMetadataMs: 100 });
    expect(await codeOf(silent.checkpoint())).toBe("E_REGISTRY_TIMEOUT");
    const dripping = await rawAnswering(
      (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\na"),
      { maxMetadataMs: 100 },
    );
    expect(await codeOf(dripping.checkpoint())).toBe("E_REGISTRY_TIMEOUT");
  });

  test("a body that breaks off", async () => {
    const heads = ["content-length: 900", "transfer-encoding: chunked"];
    for (const head of heads) {
      const registry = await rawAnswering((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${head}\r\n\r\n5\r\nhello\r\n`);
        setTimeout(() => socket.destroy(), 20);
      });
      expect(await codeOf(registry.checkpoint())).toBe("E_REGISTRY_TRUNCATED");
    }
  });

  test("nobody there, and something that doesn't speak HTTP", async () => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const url = `http://127.0.0.1:${server.port}`;
    await server.stop(true);
    expect(await codeOf(openRegistry(url).checkpoint())).toBe("E_REGISTRY_UNREACHABLE");
    const ssh = await rawAnswering((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    expect(await codeOf(ssh.checkpoint())).toBe("E_REGISTRY_UNREACHABLE");
  });

  test("a blob of other bytes", async () => {
    const registry = answering(
      () => new Response("other", { headers: { "content-type": "application/octet-stream" } }),
    );
    expect(await codeOf(registry.blob(sha256("asked")))).toBe("E_REGISTRY_BLOB");
  });
});

test("a refusal keeps its code and facts if the contract knows it, else it is told apart", async () => {
  const known = answering(() =>
    problem(409, { type: "urn:x", title: "t", status: 409, code: "E_REGISTRY_CONFLICT", facts: { version: "1.0.0" } }),
  );
  await expect(known.checkpoint()).rejects.toMatchObject({
    code: "E_REGISTRY_CONFLICT",
    facts: { version: "1.0.0", status: 409 },
  });
  const foreign = answering(() =>
    problem(422, { type: "urn:x", title: "t", status: 422, code: "E_LOG_FORKED", facts: {} }),
  );
  // A registry can't make its client say that a check of the client's own failed.
  await expect(foreign.checkpoint()).rejects.toMatchObject({
    code: "E_REGISTRY_REFUSED",
    facts: { status: 422, code: "E_LOG_FORKED", title: "t", facts: {} },
  });
});

test("addresses of registries", () => {
  expect(parseRegistryUrl("http://127.0.0.1:4000/")).toBe("http://127.0.0.1:4000");
  expect(parseRegistryUrl("https://Hooks.Example/team/")).toBe("https://hooks.example/team");
  for (const url of ["", "hooks.example", "file:///etc", "ftp://a", "http://u:p@a", "http://a?x=1", "http://a#x"]) {
    expect(() => parseRegistryUrl(url)).toThrow(expect.objectContaining({ code: "E_REGISTRY_URL" }));
  }
  try {
    parseRegistryUrl("http://user:hunter2@a.example");
  } catch (error) {
    expect(JSON.stringify(error)).not.toContain("hunter2");
  }
});
