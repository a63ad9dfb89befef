import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { Problem, ROUTES } from "@hookpkg/protocol";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { openParts } from "../open.ts";
import { QUIET, type Report } from "../outside.ts";
import { newAuthor, publishAll, release } from "../testing/author.ts";
import { emptyFolder, startRegistry } from "../testing/server.ts";
import { createApp } from "./app.ts";

const reports: Report[] = [];
const started = await startRegistry({ report: (line) => reports.push(line) });
afterAll(started.stop);
const author = await newAuthor("@acme");
const ready = await release(author, "1.0.0");
await publishAll(started.url, author, [ready]);

type Sent = string | Uint8Array<ArrayBuffer> | ReadableStream;
const JSON_TYPE = { "content-type": "application/json" };
const doors = [
  ["PUT", "/v1/scopes/other/0"],
  ["PUT", "/v1/packages/acme/no-rm/2.0.0"],
  ["POST", "/v1/resolve"],
] as const;

/** Sends and demands a problem document that tells no more than it should. */
async function refusal(method: string, path: string, body?: Sent, headers: Record<string, string> = JSON_TYPE) {
  const init = body === undefined ? { method } : { method, body, headers };
  return problemOf(await fetch(started.url + path, init));
}

async function problemOf(answer: Response): Promise<[number, string]> {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const text = await answer.text();
  expect(text).not.toMatch(/node_modules|\.ts:|at \w+ \(|\/registry\//);
  const body: unknown = JSON.parse(text);
  if (!Value.Check(Problem, body)) throw new Error(`no problem document: ${text}`);
  expect(body.status).toBe(answer.status);
  return [answer.status, body.code];
}

describe.each(doors)("%s %s", (method, path) => {
  const send = (body: Sent, headers?: Record<string, string>) => refusal(method, path, body, headers);

  test.each([
    ["nothing", "", "E_JSON"],
    ["garbage", "{{{", "E_JSON"],
    ["truncated", '{"payload', "E_JSON"],
    ["bad UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), "E_JSON_NOT_UTF8"],
    ["a byte order mark", "\ufeff{}", "E_JSON"],
    ["UTF-16", Buffer.from("{}", "utf16le"), "E_JSON"],
    ["a key twice", '{"payload":"","payload":""}', "E_JSON_DUPLICATE_KEY"],
    ["depth", "[".repeat(200_000), "E_JSON_TOO_DEEP"],
    ["null", "null", "E_REGISTRY_REQUEST"],
    ["an array", "[]", "E_REGISTRY_REQUEST"],
    ["a number", "1e400", "E_REGISTRY_REQUEST"],
    ["an empty object", "{}", "E_REGISTRY_REQUEST"],
    [
      "an unknown field",
      '{"packages":{"@a/b":"1"},"payloadType":"","payload":"","signatures":[],"more":1}',
      "E_REGISTRY_REQUEST",
    ],
    [
      "__proto__",
      '{"__proto__":{"packages":{"@a/b":"1"},"payloadType":"","payload":"","signatures":[]}}',
      "E_REGISTRY_REQUEST",
    ],
    ["types", '{"packages":[],"payloadType":1,"payload":{},"signatures":"x"}', "E_REGISTRY_REQUEST"],
  ])("%s", async (_, body, code) => {
    expect(await send(body)).toEqual([422, code]);
  });

  test("too many bytes, said and unsaid", async () => {
    const big = new Uint8Array(600_000).fill(0x20);
    const chunked = new ReadableStream({
      start: (controller) => {
        controller.enqueue(big);
        controller.close();
      },
    });
    expect(await send(big)).toEqual([413, "E_REGISTRY_BODY_TOO_LARGE"]);
    expect(await send(chunked)).toEqual([413, "E_REGISTRY_BODY_TOO_LARGE"]);
  });

  test("another content type or encoding", async () => {
    const types = [
      "text/plain",
      "",
      "application/jsonx",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
    ];
    for (const type of types)
      expect(await send("{}", { "content-type": type })).toEqual([415, "E_REGISTRY_MEDIA_TYPE"]);
    expect(await send(Bun.gzipSync("{}"), { ...JSON_TYPE, "content-encoding": "gzip" })).toEqual([
      415,
      "E_REGISTRY_MEDIA_TYPE",
    ]);
  });

  test("any bytes at all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          const [status] = await send(new Uint8Array(bytes));
          expect(status).toBe(422);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("packages that are no names, ranges that are none", async () => {
  const codes: [string, string][] = [
    ['{"packages":{"__proto__":"1"}}', "E_NAME"],
    ['{"packages":{"constructor":"1"}}', "E_NAME"],
    ['{"packages":{"@A/b":"1"}}', "E_NAME"],
    ['{"packages":{"@a/../b":"1"}}', "E_NAME"],
    ['{"packages":{"@a/b":"not a range"}}', "E_RANGE"],
    [`{"packages":{"@a/b":"${">1 ".repeat(50)}"}}`, "E_REGISTRY_NOT_FOUND"],
    [`{"packages":{"@a/b":"${"1".repeat(201)}"}}`, "E_REGISTRY_REQUEST"],
    ['{"packages":{}}', "E_REGISTRY_REQUEST"],
    [
      JSON.stringify({ packages: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`@a/b${n}`, "1"])) }),
      "E_REGISTRY_REQUEST",
    ],
    ['{"packages":{"@a/b":"1"},"since":-1}', "E_REGISTRY_REQUEST"],
    ['{"packages":{"@a/b":"1"},"since":1.5}', "E_REGISTRY_REQUEST"],
  ];
  for (const [body, code] of codes) expect((await refusal("POST", "/v1/resolve", body))[1]).toBe(code);
});

test.each([
  ["/v1/packages/acme/../../etc", 404],
  ["/v1/packages/%2e%2e/no-rm", 404],
  ["/v1/packages/ACME/no-rm", 422],
  ["/v1/packages/acme/no_rm", 422],
  ["/v1/packages/acme/no-rm/1.0.0+build", 422],
  ["/v1/packages/acme/no-rm/v1.0.0", 422],
  ["/v1/packages/acme/no-rm/%00", 422],
  ["/v1/packages/acme/%F0%9F%92%A9", 422],
  ["/v1/packages/acme/%FF%FE", 422],
  ["/v1/packages/аcme/no-rm", 422],
  [`/v1/packages/${"a".repeat(65)}/no-rm`, 422],
  ["/v1/blobs/../log-key.json", 404],
  ["/v1/blobs/..%2flog-key.json", 422],
  ["/v1/blobs/ABCDEF", 422],
  ["/v1/scopes/acme/0", 404],
  ["/v1/consistency/-1/2", 422],
  ["/v1/consistency/1e1/2", 422],
  ["/v1/consistency/9999999999999/99999999999999", 422],
  ["/nothing", 404],
  ["/v1", 404],
  ["//", 404],
])("GET %s → %i", async (path, status) => {
  expect((await refusal("GET", path))[0]).toBe(status);
});

test("methods that an address doesn't know", async () => {
  for (const { path } of Object.values(ROUTES)) {
    for (const method of ["DELETE", "PATCH"])
      expect(await refusal(method, path)).toEqual([404, "E_REGISTRY_NOT_FOUND"]);
  }
});

test.each([
  "a",
  "",
  "evil.example",
  "evil/v1/root?",
  "evil/healthz#",
  "user@evil/healthz?x=",
  "[::1",
  "a b",
  "x:99999",
])("the Host header is nobody's business: %j", async (host) => {
  expect(await statusLine(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toBe("HTTP/1.1 200 OK");
  expect(await statusLine(`GET /nothing HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toBe("HTTP/1.1 404 Not Found");
});

function statusLine(request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(started.url).port), "127.0.0.1", () => socket.write(request));
    socket.once("data", (data) => {
      resolve(data.toString().split("\r\n")[0]);
      socket.destroy();
    });
  });
}

test("a client that speaks no HTTP doesn't disturb the others", async () => {
  const port = Number(new URL(started.url).port);
  for (const line of [
    "\0\0\0\0",
    "GET\r\n\r\n",
    "PUT / HTTP/9.9\r\n\r\n",
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\n\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(line, () => setTimeout(() => socket.destroy(), 10)));
      socket.on("error", () => {}).on("close", () => resolve());
    });
  }
  expect((await fetch(`${started.url}/healthz`)).status).toBe(200);
});

test("a failure of the server's own is told to the operator, and to nobody else", async () => {
  const lines: Report[] = [];
  const parts = await openParts(await emptyFolder(), { ...QUIET, report: (line) => lines.push(line) });
  const secret = "database at /srv/secret is on fire";
  const store = new Proxy(parts.store, {
    get: () => () => Promise.reject(new Error(secret)),
  });
  const answer = await createApp({ ...parts, store })(new Request("http://localhost/v1/packages/acme/no-rm"));
  const text = await answer.text();
  const copy = new Response(text, { status: answer.status, headers: answer.headers });
  expect(await problemOf(copy)).toEqual([500, "E_REGISTRY_INTERNAL"]);
  expect(text).not.toContain("secret");
  expect(JSON.stringify(lines)).toContain(secret);
  await parts.close();
});

test("nothing above was a failure of the server's own", () => {
  expect(reports).toEqual([]);
});
