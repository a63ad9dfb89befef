import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusal, temporaryFolder } from "../author/test-program.ts";
import { approveAll, GUARD, type TestProject, testProject } from "../trust/test-project.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { listening, socketClient, startBridge, stdioClient } from "./test-client.ts";

setDefaultTimeout(120_000);

let guarded: TestProject;
beforeAll(async () => {
  guarded = await testProject();
  await approveAll(guarded.path);
});
afterAll(() => guarded[Symbol.dispose]());

const bash = (command: string, cwd = guarded.path) => ({
  event: "PreToolUse",
  payload: { session_id: "s", cwd, tool_name: "Bash", tool_input: { command } },
});

/** A bridge on stdio that was greeted, ended at the end of the block. */
async function onStdio(base = guarded.path, ...args: string[]) {
  const bridge = startBridge(base, "--stdio", ...args);
  const client = stdioClient(bridge);
  await client.call("initialize", { client: { name: "test" } });
  return {
    bridge,
    client,
    async [Symbol.asyncDispose]() {
      bridge.stdin.end();
      await bridge.exited;
    },
  };
}

describe("--stdio", () => {
  test("initialize tells version, methods, events and limits", async () => {
    const bridge = startBridge(guarded.path, "--stdio");
    const client = stdioClient(bridge);
    const { result } = await client.call("initialize", { client: { name: "test", version: "1" } });
    expect(result).toMatchObject({
      protocol: 1,
      version: expect.any(String),
      methods: ["initialize", "hook/dispatch", "hook/list"],
      events: expect.arrayContaining(["PreToolUse", "memory.save"]),
      limits: { lineBytes: MAX_LINE_BYTES },
    });
    bridge.stdin.end();
    expect(await bridge.exited).toBe(0);
  });

  test("nothing is answered before initialize", async () => {
    const bridge = startBridge(guarded.path, "--stdio");
    const client = stdioClient(bridge);
    const { error } = await client.call("hook/dispatch", bash("ls"));
    expect([error?.code, error?.data]).toEqual([-32002, expect.objectContaining({ code: "E_BRIDGE_INITIALIZE" })]);
    bridge.stdin.end();
    await bridge.exited;
  });

  test("hook/dispatch gives the whole decision, and tells of each handler's run while it lasts", async () => {
    await using on = await onStdio();
    const refused = await on.client.call("hook/dispatch", bash("rm -rf x"));
    expect(refused.result).toMatchObject({
      ...{ v: 1, decision: "cancel", reason: expect.stringContaining("no rm -rf here") },
      handlers: [{ handler: GUARD, outcome: "answered", answer: "cancel" }],
    });
    const told = on.client.inbox.messages.filter(({ method }) => method?.startsWith("hook/"));
    expect(told).toMatchObject([
      { method: "hook/started", params: { id: refused.id, event: "PreToolUse", handler: GUARD, recheck: false } },
      { method: "hook/completed", params: { id: refused.id, handler: GUARD, outcome: "answered", answer: "cancel" } },
    ]);
    expect(on.client.inbox.messages.indexOf(refused)).toBeGreaterThan(
      on.client.inbox.messages.findIndex(({ method }) => method === "hook/completed"),
    );
    expect((await on.client.call("hook/dispatch", bash("ls"))).result).toMatchObject({ decision: "continue" });
  });

  test("hook/list names who would be asked", async () => {
    await using on = await onStdio();
    expect((await on.client.call("hook/list")).result).toEqual({
      handlers: [
        {
          ...{ handler: GUARD, identity: expect.stringMatching(/^hk1:/), event: "PreToolUse" },
          ...{ runs: "runnable", state: "trusted", failMode: "closed" },
        },
      ],
    });
  });

  test("--project says where events belong, whatever folder they name", async () => {
    await using on = await onStdio(guarded.path, "--project", guarded.path);
    const { result } = await on.client.call("hook/dispatch", bash("rm -rf x", "/tmp"));
    expect(result).toMatchObject({ decision: "cancel" });
  });

  test("many calls at once are each answered", async () => {
    await using on = await onStdio();
    const calls = Array.from({ length: 40 }, (_, n) =>
      on.client.call("hook/dispatch", bash(n % 2 ? "ls" : "rm -rf x")),
    );
    const decisions = (await Promise.all(calls)).map(({ result }) => result?.decision);
    expect(decisions).toEqual(Array.from({ length: 40 }, (_, n) => (n % 2 ? "continue" : "cancel")));
  });

  test("what was asked before stdin ended is answered", async () => {
    const bridge = startBridge(guarded.path, "--stdio");
    const client = stdioClient(bridge);
    await client.call("initialize");
    const answer = client.call("hook/dispatch", bash("rm -rf x"));
    bridge.stdin.end();
    expect((await answer).result).toMatchObject({ decision: "cancel" });
    expect(await bridge.exited).toBe(0);
  });

  test("calls above what may wait are refused as such, and the others answered", async () => {
    await using on = await onStdio();
    const calls = Array.from({ length: 400 }, () => on.client.call("hook/dispatch", bash("ls")));
    const answers = await Promise.all(calls);
    const busy = answers.filter(({ error }) => error?.data.code === "E_BRIDGE_BUSY");
    expect(answers.filter(({ result }) => result?.decision === "continue").length + busy.length).toBe(400);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy.every(({ error }) => error?.code === -32000 && error.data.refuse === true)).toBe(true);
  });
});

/** Everything that is no call of ours, with the number and code that answer it. */
const BAD: [string, string | Uint8Array, number, string][] = [
  ["no JSON", "{", -32700, "E_JSON"],
  ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), -32700, "E_JSON_NOT_UTF8"],
  ["a key twice", '{"jsonrpc":"2.0","id":"x","id":"y","method":"initialize"}', -32700, "E_JSON_DUPLICATE_KEY"],
  ["nesting without end", "[".repeat(100_000), -32700, "E_JSON_TOO_DEEP"],
  ["a batch", "[]", -32600, "E_BRIDGE_MESSAGE"],
  ["another JSON-RPC", '{"jsonrpc":"1.0","id":"x","method":"initialize"}', -32600, "E_BRIDGE_MESSAGE"],
  ["no method", '{"jsonrpc":"2.0","id":"x"}', -32600, "E_BRIDGE_MESSAGE"],
  ["an unknown method", '{"jsonrpc":"2.0","id":"x","method":"hook/run"}', -32601, "E_BRIDGE_METHOD"],
  ["a method of every object", '{"jsonrpc":"2.0","id":"x","method":"toString"}', -32601, "E_BRIDGE_METHOD"],
  ["no parameters", '{"jsonrpc":"2.0","id":"x","method":"hook/dispatch"}', -32602, "E_BRIDGE_PARAMS"],
  [
    "an event that is none",
    '{"jsonrpc":"2.0","id":"x","method":"hook/dispatch","params":{"event":"Nothing","payload":{}}}',
    -32602,
    "E_BRIDGE_EVENT",
  ],
  [
    "a payload without its fields",
    '{"jsonrpc":"2.0","id":"x","method":"hook/dispatch","params":{"event":"PreToolUse","payload":{}}}',
    -32602,
    "E_HOST_FIELD",
  ],
  [
    "two names of one event",
    '{"jsonrpc":"2.0","id":"x","method":"hook/dispatch","params":{"event":"Stop","payload":{"hook_event_name":"PreToolUse"}}}',
    -32602,
    "E_BRIDGE_PARAMS",
  ],
  ["a line that is too long", "x".repeat(MAX_LINE_BYTES + 1), -32700, "E_BRIDGE_LINE"],
];

test.each(BAD)(
  "%s: an error that says to refuse where a guard is closed, and the bridge goes on",
  async (_, line, number, code) => {
    await using on = await onStdio();
    on.client.send(line);
    on.client.send("\n");
    const { error } = await on.client.inbox.until((message) => message.error !== undefined);
    expect([error?.code, error?.data.code, error?.data.refuse]).toEqual([number, code, true]);
    expect(error?.data.reason).toContain(`[${code}]`);
    expect((await on.client.call("hook/dispatch", bash("rm -rf x"))).result).toMatchObject({ decision: "cancel" });
  },
);

test("an error does not say to refuse where nothing is guarded", async () => {
  using empty = temporaryFolder();
  await using on = await onStdio(empty.path);
  const { error } = await on.client.call("hook/dispatch", { event: "PreToolUse", payload: {} });
  expect(error?.data).toMatchObject({ code: "E_HOST_FIELD", refuse: false });
});

describe("--socket", () => {
  test("is reachable for its owner only, serves several at once, and is gone at the end", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "b.sock");
    const bridge = startBridge(guarded.path, "--socket", path);
    await listening(bridge);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    const clients = await Promise.all([socketClient(path), socketClient(path)]);
    for (const client of clients) {
      await client.call("initialize", {});
      expect((await client.call("hook/dispatch", bash("rm -rf x"))).result).toMatchObject({ decision: "cancel" });
    }
    expect(await refusal(guarded.path, "bridge", "--socket", path)).toEqual([1, "E_BRIDGE_TAKEN"]);
    bridge.kill("SIGTERM");
    expect(await bridge.exited).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("a dead socket is replaced, anything else is left alone", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "b.sock");
    const dead = startBridge(guarded.path, "--socket", path);
    await listening(dead);
    dead.kill("SIGKILL");
    await dead.exited;
    expect(existsSync(path)).toBe(true);
    const bridge = startBridge(guarded.path, "--socket", path);
    await listening(bridge);
    bridge.kill("SIGTERM");
    await bridge.exited;
    writeFileSync(path, "mine");
    expect(await refusal(guarded.path, "bridge", "--socket", path)).toEqual([1, "E_BRIDGE_TAKEN"]);
  });

  test("a folder that others can write in, a path that is too long, and two ways at once are refused", async () => {
    using folder = temporaryFolder();
    const shared = join(folder.path, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    const at = (...args: string[]) => refusal(guarded.path, "bridge", ...args);
    expect(await at("--socket", join(shared, "b.sock"))).toEqual([1, "E_BRIDGE_FOLDER"]);
    expect(await at("--eva", join(shared, "b.sock"))).toEqual([1, "E_BRIDGE_FOLDER"]);
    expect(await at("--socket", join(folder.path, "b".repeat(120)))).toEqual([1, "E_BRIDGE_PATH"]);
    expect(await at("--socket", join(folder.path, "none/b.sock"))).toEqual([1, "E_BRIDGE_PATH"]);
    expect(await at("--stdio", "--socket", join(folder.path, "b.sock"))).toEqual([64, "E_USAGE"]);
    expect(await at()).toEqual([64, "E_USAGE"]);
  });
});

test("a held guard refuses, and is listed as such", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const store = join(base.path, "home/data/store");
  for (const tree of readdirSync(store)) {
    chmodSync(join(store, tree, "guard.ts"), 0o644);
    appendFileSync(join(store, tree, "guard.ts"), "//");
  }
  await using on = await onStdio(base.path);
  expect((await on.client.call("hook/list")).result).toMatchObject({
    handlers: [{ handler: GUARD, runs: "held", why: "E_STORE_DIFFERS" }],
  });
  expect((await on.client.call("hook/dispatch", bash("ls", base.path))).result).toMatchObject({ decision: "cancel" });
});
