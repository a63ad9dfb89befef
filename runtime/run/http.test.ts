import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Handler } from "@hookpkg/spec";
import { PUBLIC, TEST_TLS, testNet } from "../net/test-net.ts";
import { event, type Trial, trial } from "./test-run.ts";

type Got = { path: string; headers: Record<string, string | undefined>; body: string };
const got: Got[] = [];
let reply: () => Response | Promise<Response> = () => new Response();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: TEST_TLS,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    got.push({ path: pathname + search, headers: request.headers.toJSON(), body: await request.text() });
    return pathname === "/moved" ? Response.redirect("https://other.example.com/hook", 307) : reply();
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  got.length = 0;
});

const { outside } = testNet(
  { "api.example.com": [PUBLIC], "other.example.com": [PUBLIC], "meta.example.com": ["169.254.169.254"] },
  { [`${PUBLIC}:443`]: server.port ?? 0 },
);
const NET = ["api.example.com:443", "other.example.com:443", "meta.example.com:443"];
const post = (more: Trial = {}, run: Partial<Extract<Handler["run"], { type: "http" }>> = {}) =>
  trial(
    { type: "http", url: "https://api.example.com/hook", method: "POST", headers: {}, ...run },
    { net: outside, ...more, capabilities: { net: NET, env: ["TOKEN"], ...more.capabilities } },
  );
const answering = (text: string, status = 200) => {
  reply = () => new Response(text, { status });
};

describe("what is sent", () => {
  test("is the event as JSON, with the headers and their variables", async () => {
    answering("");
    const headers = { authorization: "Bearer ${TOKEN}", "x-plain": "v" };
    expect(await post({ call: { env: { TOKEN: "s3cret-value" } } }, { headers })).toMatchObject({
      outcome: "answered",
      answer: { answer: "continue" },
    });
    expect(got.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([["/hook", event]]);
    expect(got[0]?.headers).toMatchObject({
      authorization: "Bearer s3cret-value",
      "x-plain": "v",
      "content-type": "application/json",
    });
  });

  test("has our folders in its address as data", async () => {
    answering("");
    await post({ call: { project: "/a b/c&d" } }, { url: "https://api.example.com/hook?root=${PROJECT_DIR}&x=1" });
    expect(got[0]?.path).toBe("/hook?root=%2Fa%20b%2Fc%26d&x=1");
  });

  test.each([
    ["is not there", {}],
    ["would be two headers", { TOKEN: "a\r\nx-evil: 1" }],
    ["was not granted", { OTHER: "x" }],
  ])("is nothing when a variable %s", async (_, env) => {
    const headers = { authorization: "Bearer ${TOKEN}" };
    expect(await post({ call: { env } }, { headers })).toMatchObject({
      outcome: "failed",
      why: "E_HTTP_VARIABLE_MISSING",
      detail: "authorization",
    });
    expect(got).toEqual([]);
  });

  test("goes nowhere else: undeclared, inside, or with secrets to the next host", async () => {
    answering("");
    expect(await post({}, { url: "https://evil.example/" })).toMatchObject({
      why: "E_CAPABILITY",
      denied: ["net evil.example:443: not declared"],
    });
    expect(await post({}, { url: "https://meta.example.com/" })).toMatchObject({ why: "E_NET_ADDRESS" });
    expect(got).toEqual([]);
    const headers = { authorization: "Bearer ${TOKEN}", "x-key": "${TOKEN}" };
    const moved = { url: "https://api.example.com/moved", headers };
    expect(await post({ call: { env: { TOKEN: "s3cret-value" } } }, moved)).toMatchObject({ outcome: "answered" });
    expect(
      got.map((each) => [each.headers.host, each.headers.authorization, each.headers["x-key"], each.body.length > 0]),
    ).toEqual([
      ["api.example.com", "Bearer s3cret-value", "s3cret-value", true],
      ["other.example.com", undefined, undefined, true],
    ]);
    expect(await post({ capabilities: { net: ["api.example.com:443"] } }, moved)).toMatchObject({
      why: "E_HTTP_VARIABLE_MISSING",
    });
    expect(await post({ capabilities: { net: ["api.example.com:443"] } }, { url: moved.url })).toMatchObject({
      why: "E_CAPABILITY",
    });
  });
});

test("nothing is sent where the network is off", async () => {
  answering("");
  expect(await post({ deps: { offline: true } })).toMatchObject({ outcome: "failed", why: "E_HTTP_OFFLINE" });
  expect(got).toEqual([]);
});

describe("this machine", () => {
  const local = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => Response.json({ decision: "block", reason: await request.text() }),
  });
  afterAll(() => local.stop(true));
  const led = testNet({ localhost: ["127.0.0.1"] }, { "127.0.0.1:8080": local.port ?? 0 });

  test.each(["localhost", "127.0.0.1"])("is asked as %s where that was declared, and told all", async (name) => {
    const asked = (net: string[]) =>
      post({ net: led.outside, capabilities: { net } }, { url: `http://${name}:8080/hook` });
    const outcome = await asked([`${name}:8080`]);
    expect(outcome).toMatchObject({ outcome: "answered", answer: { answer: "cancel", reason: JSON.stringify(event) } });
    led.dialled.length = 0;
    for (const net of [[], [`${name}:8081`], ["api.example.com:8080"]])
      expect(await asked(net)).toMatchObject({ outcome: "failed", why: "E_CAPABILITY" });
    expect(led.dialled).toEqual([]);
  });
});

describe("what comes back", () => {
  test.each([
    ["nothing", "", { answer: "continue" }],
    ["an empty object", "{}", { answer: "continue" }],
    ["a deny", '{"decision":"block","reason":"no"}', { answer: "cancel", reason: "no" }],
    ["an answer of ours", '{"answer":"ask","reason":"sure?"}', { answer: "ask", reason: "sure?" }],
    [
      "a host's form",
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
      { answer: "cancel", reason: "no" },
    ],
  ])("%s is read as a command's output", async (_, text, answer) => {
    answering(text);
    expect(await post()).toMatchObject({ outcome: "answered", answer });
  });

  test.each([
    ["a list", "[]", "E_ANSWER_ARRAY"],
    ["broken JSON", '{"decision":', "E_ANSWER_NOT_JSON"],
    ["no known field", '{"ok":true}', "E_ANSWER_UNKNOWN"],
    ["more than it may say", '{"answer":"allow","reason":"x"}', undefined],
  ])("%s is what it would be of a command", async (_, text, why) => {
    answering(text);
    expect(await post()).toMatchObject(
      why === undefined ? { outcome: "answered", answer: { answer: "continue" } } : { outcome: "failed", why },
    );
  });

  test.each([200, 201, 202])("status %d is an end with 0", async (status) => {
    answering('{"decision":"block","reason":"no"}', status);
    expect(await post()).toMatchObject({ outcome: "answered", answer: { answer: "cancel", reason: "no" } });
  });

  test.each([
    ["204", null, 204, "continue"],
    ["blank", " \r\n", 200, "continue"],
    ["text", "all is well, block nothing", 200, "continue"],
    ["text with an answer as its last line", 'thinking\n{"decision":"block","reason":"no"}\n', 200, "cancel"],
    ["a known field beside one that is not", '{"decision":"block","reason":"no","mood":1}', 200, "cancel"],
  ])("%s has the meaning that it has from a command", async (_, body, status, answer) => {
    reply = () => new Response(body, { status });
    expect(await post()).toMatchObject({ outcome: "answered", answer: { answer } });
  });

  test.each([
    ["bytes that are no text", Uint8Array.from([0x22, 0xff, 0xfe]), {}, "E_ANSWER_NOT_UTF8"],
    ["a compressed body", Bun.gzipSync('{"decision":"block"}'), {}, "E_ANSWER_NOT_UTF8"],
    ["a coding that nobody asked for", "{}", { "content-encoding": "br" }, "E_NET_MESSAGE"],
    ["a bomb", Bun.gzipSync(Buffer.alloc(8_000_000)), { "content-encoding": "gzip" }, "E_NET_MESSAGE"],
    ["two answers in one", '{"decision":"approve"}{"decision":"block"}', {}, "E_ANSWER_NOT_JSON"],
  ])("%s is a failure", async (_, body, headers, why) => {
    reply = () => new Response(body, { headers });
    expect(await post()).toMatchObject({ outcome: "failed", why });
  });

  test.each([301, 302, 303, 400, 401, 404, 418, 500, 503])(
    "status %d says nothing, whatever its body says",
    async (status) => {
      answering('{"decision":"approve"}', status);
      if (status < 400) reply = () => new Response("{}", { status, headers: { location: "/elsewhere" } });
      expect(await post()).toMatchObject({ outcome: "failed", why: "E_HTTP_STATUS", detail: `status ${status}` });
      expect(got).toHaveLength(1);
    },
  );

  test("too much, too late and nobody are told apart", async () => {
    answering("x".repeat(2 * 1024 * 1024));
    expect(await post()).toMatchObject({ outcome: "failed", why: "E_NET_TOO_LARGE" });
    reply = () => new Response(new ReadableStream({ pull: () => Bun.sleep(60_000) }));
    expect(await post({ handler: { timeoutMs: 300 } })).toMatchObject({ outcome: "late", why: "E_RUN_LATE" });
    expect(
      await post({ capabilities: { net: ["api.example.com:1"] } }, { url: "https://api.example.com:1/" }),
    ).toMatchObject({ why: "E_NET_UNREACHABLE" });
  });

  test("a secret that the host sends back is in no reason and no detail", async () => {
    const run = { headers: { authorization: "Bearer ${TOKEN}" } };
    reply = () =>
      Response.json({
        decision: "block",
        reason: `no, s3cret-value`,
        hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "s3cret-value" },
      });
    const said = JSON.stringify(await post({ call: { env: { TOKEN: "s3cret-value" } } }, run));
    expect([said.includes("s3cret"), said.includes("«redacted:secret»")]).toEqual([false, true]);
    answering('{"s3cret-value": 1}');
    expect(JSON.stringify(await post({ call: { env: { TOKEN: "s3cret-value" } } }, run))).not.toContain("s3cret");
  });
});

test("is ended with whoever runs it", async () => {
  const gate = Promise.withResolvers<Response>();
  const stop = new AbortController();
  reply = () => {
    stop.abort();
    return gate.promise;
  };
  expect(await post({ deps: { signal: stop.signal } })).toMatchObject({ outcome: "late", why: "E_RUN_LATE" });
  gate.resolve(new Response());
});
