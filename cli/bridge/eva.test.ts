import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";
import { approveAll, must, testProject, writeGuard } from "../trust/test-project.ts";
import { type Client, listening, type Message, socketClient, startBridge } from "./test-client.ts";

setDefaultTimeout(120_000);

/** What a test's project has: handlers by event, each with its code. */
type Handlers = Readonly<Record<string, { id: string; code?: string } & Readonly<Record<string, unknown>>>>;

/** A project whose one local package has these handlers; approved unless it is told otherwise. */
async function projectOf(handlers: Handlers, { approved = true, capabilities = {} } = {}) {
  const base = temporaryFolder();
  const guard = join(base.path, "guard");
  mkdirSync(join(guard, "hooks"), { recursive: true });
  const hooks: Record<string, object[]> = {};
  for (const [event, { code, matcher, ...fields }] of Object.entries(handlers)) {
    if (code !== undefined) writeFileSync(join(guard, `${fields.id}.ts`), `export default ${code};\n`);
    const run = code === undefined ? {} : { type: "module", module: `./${fields.id}.ts` };
    hooks[event] = [
      {
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ ...run, ...fields }],
      },
    ];
  }
  writeFileSync(join(guard, "hooks/hooks.json"), JSON.stringify({ hooks }));
  const manifest = { name: "@acme/guard", version: "1.0.0", description: "For Eva", license: "MIT", capabilities };
  writeFileSync(join(guard, "hookpkg.json"), JSON.stringify(manifest));
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  if (approved) await approveAll(base.path);
  return base;
}

/** Eva's core as far as the contract goes: it connects, shakes hands, and calls `middleware/handle` at declared stages. */
async function core(base: string, ...args: string[]) {
  const path = join(base, "eva.sock");
  const bridge = startBridge(base, "--eva", path, ...args);
  await listening(bridge);
  const client = await socketClient(path);
  return {
    ...{ bridge, client, path },
    async [Symbol.asyncDispose]() {
      bridge.kill("SIGTERM");
      await bridge.exited;
    },
  };
}

/** The core's own API on a socket: what is asked, as it comes. */
function coreApi(path: string, answer: (path: string) => Response = () => new Response(null, { status: 202 })) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const waiting: (() => void)[] = [];
  const server = Bun.serve({
    unix: path,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = (await request.json()) as Record<string, unknown>; // the bridge's own words
      asked.push({ path: pathname, body });
      for (const look of waiting.splice(0)) look();
      return answer(pathname);
    },
  });
  const next = async () => {
    while (asked.length === 0) await new Promise<void>((look) => void waiting.push(look));
    return asked.shift();
  };
  return { asked, next, [Symbol.dispose]: () => void server.stop(true) };
}

const HANDSHAKE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "eva", version: "1" },
  _meta: { "dev.eva/api": "unix:/run/eva/api.sock" },
};
const shake = (client: Client, api?: string) =>
  client.call("initialize", api === undefined ? HANDSHAKE : { ...HANDSHAKE, _meta: { "dev.eva/api": api } });
const stages = ({ result }: Message) =>
  result?._meta instanceof Object && "dev.eva/middleware" in result._meta ? result._meta["dev.eva/middleware"] : null;
const handle = async (client: Client, stage: string, payload: unknown) =>
  (await client.call("middleware/handle", { stage, payload })).result;

const NO_RM = {
  ...{ id: "no-rm", failMode: "closed", may: ["cancel", "patch"], matcher: "Bash" },
  code: `(event) => event.tool_input.command.includes("rm -rf") ? { answer: "cancel", reason: "only by hand" }
    : event.tool_input.command === "pwd" ? { answer: "patch", fields: { tool_input: { command: "pwd -P" } } }
    : event.tool_input.command === "die" ? process.exit(7) : undefined`,
};
const RESULT = {
  ...{ id: "result", may: ["cancel", "patch", "context"] },
  code: `({ tool_response: text }) => typeof text !== "string" ? undefined
    : text.includes("key") ? { answer: "cancel", reason: "a secret" }
    : text === "long" ? { answer: "patch", fields: { tool_response: "short" } }
    : text === "odd" ? { answer: "context", context: "look twice" }
    : text === "fall" ? process.exit(7) : undefined`,
};
const MEMORY = {
  ...{ id: "memory", may: ["cancel", "patch"], failMode: "closed" },
  code: `({ payload }) => payload.text === "never" ? { answer: "cancel", reason: "not this" }
    : { answer: "patch", fields: { payload: { text: payload.text.replace("s3cret", "***") } } }`,
};

describe("the contract", () => {
  let base: { path: string; [Symbol.dispose](): void };
  let on: Awaited<ReturnType<typeof core>>;
  let hands: Message;
  beforeAll(async () => {
    base = await projectOf({
      PreToolUse: NO_RM,
      PostToolUse: RESULT,
      "memory.save": MEMORY,
      Stop: { id: "stop", code: "() => undefined" },
    });
    on = await core(base.path);
    hands = await shake(on.client);
  });
  afterAll(async () => {
    await on[Symbol.asyncDispose]();
    base[Symbol.dispose]();
  });

  test("a module is an MCP server: the handshake answers with the protocol's version and a name", () => {
    expect(hands.result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "hookpkg" } });
  });

  test("the handshake declares the stages of handlers, fail_closed where one is closed, and no event of other hosts", () => {
    expect(stages(hands)).toEqual({
      stages: [
        { stage: "memory.save", fail_closed: true },
        { stage: "tool.call", fail_closed: true },
        { stage: "tool.result", fail_closed: false },
      ],
    });
  });

  test("continue: what no handler minds goes on as it is", async () => {
    const call = { name: "shell", input: { command: "ls" } };
    expect(await handle(on.client, "tool.call", call)).toEqual({ decision: "continue" });
  });

  test("cancel: with the handler's reason, for the model and the journal", async () => {
    const call = { name: "shell", input: { command: "rm -rf /" } };
    expect(await handle(on.client, "tool.call", call)).toEqual({
      decision: "cancel",
      reason: expect.stringContaining("only by hand"),
    });
    const { result } = await hookpkgJson(base.path, "log");
    expect(JSON.stringify(result)).toContain('"host":"eva"');
  });

  test("patch: the whole payload, with every field that we do not know", async () => {
    const call = {
      name: "shell",
      input: { command: "pwd", shell_id: 4 },
      turn: { deep: [1] },
      model: 7,
      tool_name: "x",
    };
    expect(await handle(on.client, "tool.call", call)).toEqual({
      decision: "patch",
      payload: { ...call, input: { command: "pwd -P", shell_id: 4 } },
    });
  });

  test("one run for a call: its canonical name is matched, not each alias", async () => {
    const before = on.client.inbox.messages.length;
    await handle(on.client, "tool.call", { name: "shell", input: { command: "ls" } });
    expect(on.client.inbox.messages.length).toBe(before + 1);
    const other = { name: "web", input: { command: "rm -rf /" } };
    expect(await handle(on.client, "tool.call", other)).toEqual({ decision: "continue" });
  });

  test("tool.result: cancel hides the output and says that nothing is undone", async () => {
    const done = { name: "shell", input: { command: "cat k" }, output: "the key" };
    expect(await handle(on.client, "tool.result", done)).toEqual({
      decision: "cancel",
      reason: expect.stringMatching(/a secret.*nothing was undone/),
    });
  });

  test("tool.result: patch replaces the output and keeps the rest", async () => {
    const done = { name: "shell", input: {}, output: "long", exit: 0 };
    const payload = { ...done, output: "short" };
    expect(await handle(on.client, "tool.result", done)).toEqual({ decision: "patch", payload });
  });

  test("tool.result: a remark is a patch that keeps the output and wraps it", async () => {
    const done = { name: "shell", input: {}, output: "odd" };
    const said = await handle(on.client, "tool.result", done);
    expect(said).toMatchObject({
      decision: "patch",
      payload: { name: "shell", output: expect.stringMatching(/^odd\n\n[\s\S]*look twice/) },
    });
  });

  test("memory.save: cleaned, its other fields untouched; or refused", async () => {
    expect(await handle(on.client, "memory.save", { text: "my s3cret", tags: ["a"] })).toEqual({
      decision: "patch",
      payload: { text: "my ***", tags: ["a"] },
    });
    expect(await handle(on.client, "memory.save", { text: "never" })).toMatchObject({ decision: "cancel" });
  });

  test("fail-closed: a handler's death is a cancel with its cause; fail-open: it is a continue", async () => {
    const dies = { name: "shell", input: { command: "die" } };
    expect(await handle(on.client, "tool.call", dies)).toMatchObject({ decision: "cancel" });
    const falls = { name: "shell", input: {}, output: "fall" };
    expect(await handle(on.client, "tool.result", falls)).toEqual({ decision: "continue" });
  });

  test.each([
    ["no payload", undefined],
    ["a list", []],
    ["no name", { input: { command: "rm -rf /" } }],
    ["a number for a name", { name: 5, input: {} }],
  ])("a call that cannot be read (%s) does not pass a closed guard", async (_, payload) => {
    expect(await handle(on.client, "tool.call", payload)).toMatchObject({ decision: "cancel" });
  });

  test("a notice is never vetoed, and a stage of no name passes", async () => {
    expect(await handle(on.client, "turn.completed", { turn: 1 })).toEqual({ decision: "continue" });
    expect(await handle(on.client, "Stop", {})).toEqual({ decision: "continue" });
  });

  test("what is no call is an error, and the module goes on", async () => {
    on.client.send("{\n[]\n");
    expect((await on.client.call("prompts/list", {})).error?.code).toBe(-32601);
    expect((await on.client.call("tools/call", { name: "another" })).error?.code).toBe(-32602);
    expect((await on.client.call("middleware/handle", {})).error?.code).toBe(-32602);
    expect((await on.client.call("ping")).result).toEqual({});
  });

  test("nothing is handled before the handshake", async () => {
    const stranger = await socketClient(on.path);
    const said = await stranger.call("middleware/handle", { stage: "tool.call", payload: {} });
    expect(said.error?.data.code).toBe("E_BRIDGE_INITIALIZE");
    stranger.leave();
  });
});

test("a handler that nobody approved declares no stage; once approved, the connection ends and the next handshake declares it", async () => {
  using base = await projectOf({ PreToolUse: NO_RM }, { approved: false });
  await using on = await core(base.path);
  expect(stages(await shake(on.client))).toEqual({ stages: [] });
  await approveAll(base.path);
  await on.client.inbox.closed;
  const again = await socketClient(on.path);
  expect(stages(await shake(again))).toEqual({ stages: [{ stage: "tool.call", fail_closed: true }] });
  again.leave();
});

test("a held handler's stage is declared, closed, and each call at it is cancelled", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeGuard(base.path, {});
  await must(hookpkg(base.path, "list"), 0);
  writeFileSync(join(base.path, "home/state/approvals.json"), "{");
  await using on = await core(base.path);
  expect(stages(await shake(on.client))).toMatchObject({
    stages: expect.arrayContaining([{ stage: "tool.call", fail_closed: true }]),
  });
  const call = { name: "shell", input: { command: "ls" } };
  expect(await handle(on.client, "tool.call", call)).toMatchObject({ decision: "cancel" });
});

test("what a person should hear reaches the core as messages", async () => {
  using base = await projectOf({
    PreToolUse: { id: "tells", may: ["context"], code: `() => ({ answer: "context", context: "mind" })` },
  });
  await using on = await core(base.path);
  expect((await shake(on.client)).error).toBeUndefined();
  await handle(on.client, "tool.call", { name: "shell", input: { command: "ls" } });
  const { params } = await on.client.inbox.until(({ method }) => method === "notifications/message");
  expect(params).toMatchObject({ level: "warning", logger: "hookpkg", data: expect.any(String) });
});

test("an ask is a cancel that says so: nobody can be asked there", async () => {
  using base = await projectOf({
    PreToolUse: { id: "ask", may: ["ask"], code: `() => ({ answer: "ask", reason: "is this meant" })` },
  });
  await using on = await core(base.path);
  await shake(on.client);
  expect(await handle(on.client, "tool.call", { name: "shell", input: { command: "ls" } })).toEqual({
    decision: "cancel",
    reason: expect.stringMatching(/approval was needed/),
  });
});

describe("the core's API", () => {
  const SPENT = {
    ...{ id: "spent", type: "prompt", prompt: "Count where the money went, and say if it is dear. $ARGUMENTS" },
  };
  const TOLD = { id: "told", type: "prompt", prompt: "Look at this.", model: "large" };

  test("spend.day begins a turn with the handler's prompt, and the core is answered before the turn is", async () => {
    using base = await projectOf({ "spend.day": SPENT });
    const path = join(base.path, "api.sock");
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<Record<string, unknown>>();
    const server = Bun.serve({
      unix: path,
      fetch: async (request) => {
        asked.resolve((await request.json()) as Record<string, unknown>); // the bridge's own words
        await gate.promise;
        return new Response(null, { status: 202 });
      },
    });
    await using on = await core(base.path);
    await shake(on.client, `unix:${path}`);
    expect(await handle(on.client, "spend.day", { usd: 12 })).toEqual({ decision: "continue" });
    const { prompt, origin } = await asked.promise;
    expect(origin).toEqual({ handler: "file:./guard#spent", event: "spend.day" });
    expect(prompt).toMatch(/Count where the money went[\s\S]*"usd":12/);
    gate.resolve();
    for (;;) {
      const { result } = await hookpkgJson(base.path, "log");
      const text = JSON.stringify(result);
      if (text.includes('"answered"')) {
        expect(text).toContain("its turn was begun");
        break;
      }
    }
    server.stop(true);
  });

  test("event_emit tells custom.<name> to the project's handlers, and says to the model what is wrong with another", async () => {
    using base = await projectOf({ "custom.noted": TOLD });
    using api = coreApi(join(base.path, "api.sock"));
    await using on = await core(base.path);
    expect((await on.client.call("tools/list")).error?.data.code).toBe("E_BRIDGE_INITIALIZE");
    await shake(on.client, `unix:${join(base.path, "api.sock")}`);
    const { result } = await on.client.call("tools/list");
    expect(result).toMatchObject({ tools: [{ name: "event_emit", inputSchema: { required: ["name"] } }] });
    const emit = async (given: unknown) =>
      (await on.client.call("tools/call", { name: "event_emit", arguments: given })).result;
    expect(await emit({ name: "custom.noted", data: { n: 1 } })).toEqual({
      content: [{ type: "text", text: "custom.noted is told" }],
    });
    const turn = await api.next();
    expect(turn).toMatchObject({ path: "/turns", body: { origin: { event: "custom.noted" } } });
    expect(turn?.body.prompt).toMatch(/"payload":\{"n":1\},"emitted_by":"eva event_emit"/);
    const wrong = async (given: unknown) => {
      const said = await emit(given);
      return [said?.isError, JSON.stringify(said?.content)];
    };
    expect(await wrong({ name: "spend.day" })).toEqual([true, expect.stringContaining("E_EMIT_NAME")]);
    expect(await wrong({ name: "custom.a", more: 1 })).toEqual([true, expect.stringContaining("E_BRIDGE_PARAMS")]);
    expect(await wrong({ name: "custom.a", data: "x".repeat(65_537) })).toEqual([
      true,
      expect.stringContaining("E_EMIT_SIZE"),
    ]);
  });

  test("a turn that the core does not begin, and an address that is not used, are said and hold nothing", async () => {
    using base = await projectOf({ "spend.day": SPENT });
    using api = coreApi(join(base.path, "api.sock"), () => new Response("no", { status: 503 }));
    await using on = await core(base.path);
    await shake(on.client, `unix:${join(base.path, "api.sock")}`);
    expect(await handle(on.client, "spend.day", {})).toEqual({ decision: "continue" });
    await api.next();
    const other = await socketClient(on.path);
    expect((await shake(other, "http://example.com/api")).error).toBeUndefined();
    expect(await handle(other, "spend.day", {})).toEqual({ decision: "continue" });
    for (;;) {
      const { result } = await hookpkgJson(base.path, "log");
      const codes = result.ok && "lines" in result.data ? (result.data.lines as { code?: string }[]) : []; // its own type
      const ends = codes.flatMap(({ code }) => code ?? []);
      if (ends.length < 2) continue;
      expect(ends.sort()).toEqual(["E_EVA_API", "E_MODEL_NONE"]);
      break;
    }
    on.bridge.kill("SIGTERM");
    await on.bridge.exited;
    expect(await on.bridge.stderr.text()).toContain("the core's API is not used");
  });

  test("ctx.complete asks the core where the person has no model, and the person's where there is one", async () => {
    const asks = {
      ...{ id: "asks", may: ["patch"] },
      code: `async ({ payload }, ctx) => {
        const text = await ctx.complete(payload.text, { system: "shorter" }).catch((error) => error.code);
        return { answer: "patch", fields: { payload: { text } } };
      }`,
    };
    using base = await projectOf({ "memory.save": asks }, { capabilities: { model: true } });
    using api = coreApi(join(base.path, "api.sock"), () => Response.json({ text: "short" }));
    await using on = await core(base.path);
    await shake(on.client, `unix:${join(base.path, "api.sock")}`);
    expect(await handle(on.client, "memory.save", { text: "long" })).toMatchObject({ payload: { text: "short" } });
    expect(api.asked).toEqual([{ path: "/completions", body: { prompt: "long", system: "shorter", size: "small" } }]);
    const model = { provider: "openai-compatible", url: "http://127.0.0.1:9/v1", small: "a", large: "b" };
    mkdirSync(join(base.path, "home/config"), { recursive: true });
    writeFileSync(join(base.path, "home/config/config.json"), JSON.stringify({ v: 1, model }), { mode: 0o600 });
    expect(await handle(on.client, "memory.save", { text: "long" })).toMatchObject({
      payload: { text: "E_MODEL_UNREACHABLE" },
    });
    expect(api.asked).toHaveLength(1);
  });
});

test("tool calls are asked about wherever anything is approved: hookpkg's own guard keeps what was", async () => {
  using base = await projectOf({ "memory.save": MEMORY });
  await using on = await core(base.path);
  expect(stages(await shake(on.client))).toEqual({
    stages: [
      { stage: "memory.save", fail_closed: true },
      { stage: "tool.call", fail_closed: false },
    ],
  });
  const shell = (command: string) => handle(on.client, "tool.call", { name: "shell", input: { command } });
  expect(await shell("hookpkg emit custom.a")).toMatchObject({ decision: "cancel" });
  expect(await shell("hookpkg approve --identity hk1:x")).toMatchObject({ decision: "cancel" });
  expect(await shell("ls")).toEqual({ decision: "continue" });
});
