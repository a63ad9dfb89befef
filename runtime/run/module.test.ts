import { describe, expect, test } from "bun:test";
import { module } from "./test-run.ts";

describe("what a module says", () => {
  test.each([
    ["next()", { answer: "continue" }],
    ["undefined", { answer: "continue" }],
    ["cancel('no ' + event.tool_input.command)", { answer: "cancel", reason: "no rm -rf /" }],
    ["ask('sure?')", { answer: "ask", reason: "sure?" }],
    ["patch({ tool_input: { command: 'ls' } })", { answer: "patch", fields: { tool_input: { command: "ls" } } }],
    ["context('mind the gap')", { answer: "context", context: "mind the gap" }],
    ["end('enough')", { answer: "cancel", reason: "enough" }], // there is nothing to stop but on Stop
  ])("%s", async (said, answer) => {
    const text = `import { ask, cancel, context, defineHook, end, next, patch } from "@hookpkg/sdk";
      export default defineHook(async (event) => ${said});`;
    expect(await module(text)).toMatchObject({ outcome: "answered", answer });
  });

  test("more than it may is refused", async () => {
    const asks = `export default () => ({ answer: "ask", reason: "sure?" })`;
    expect(await module(asks, { handler: { may: ["cancel"] } })).toMatchObject({
      outcome: "failed",
      why: "E_NOT_DECLARED",
    });
  });

  test("it gets its own files, options, granted variables and nothing else's", async () => {
    const text = `import { words } from "./lib/words.ts";
      import { readFileSync } from "node:fs";
      export default (event, ctx) => ({ answer: "context", context: JSON.stringify([words, readFileSync(import.meta.dir + "/data.txt", "utf8"),
        ctx.options, ctx.env, ctx.host, ctx.project, ctx.session, ctx.event, ctx.recheck, Object.keys(process.env).sort()]) })`;
    const outcome = await module(text, {
      files: { "lib/words.ts": "export const words: string[] = ['rm'];", "data.txt": "data" },
      capabilities: { env: ["TOKEN"] },
      call: { options: { depth: 3 }, env: { TOKEN: "t", OTHER: "o" }, recheck: true, project: "/some/where" },
    });
    if (outcome.outcome !== "answered" || outcome.answer.answer !== "context") throw new Error(JSON.stringify(outcome));
    const [words, data, options, env, host, project, session, event, recheck, names] = JSON.parse(
      outcome.answer.context,
    );
    expect([words, data, options, env]).toEqual([["rm"], "data", { depth: 3 }, { TOKEN: "t" }]);
    expect([host, project, session, event, recheck]).toEqual(["native", "/some/where", "s-1", "PreToolUse", true]);
    expect(names).not.toContain("TOKEN");
    expect(names.filter((name: string) => /HOME|USER|SSH|OTHER/.test(name))).toEqual(["HOME"]);
  });

  test("console and log are heard and break nothing", async () => {
    const outcome = await module(`export default (event, ctx) => {
      ctx.log("seen", { n: 1 }); console.log('{"ready":1}'); process.stdout.write("raw"); return undefined; }`);
    expect(outcome).toMatchObject({ outcome: "answered", answer: { answer: "continue" } });
    expect(outcome).toMatchObject({ stderr: expect.stringMatching(/seen[\s\S]*ready[\s\S]*raw/) });
  });

  test.each([
    ["fetch('http://example.com')", "net example.com:80: not declared"],
    ["complete('hi')", "complete: not approved"],
  ])("ctx.%s was not approved, which it is told and the journal too", async (call, denied) => {
    const text = `export default async (event, ctx) => { try { await ctx.${call} } catch (error) { return { answer: "context", context: error.code } } }`;
    expect(await module(text)).toMatchObject({
      ...{ outcome: "answered", answer: { answer: "context", context: "E_CAPABILITY" } },
      denied: [denied],
    });
  });
});

describe("how a module fails", () => {
  test.each([
    ["throws", "export default () => { throw new Error('boom') }", "E_RUN_THREW"],
    ["throws no error", "export default () => { throw { toString() { throw 1 } } }", "E_RUN_THREW"],
    [
      "answers what has no JSON",
      "export default () => ({ answer: 'cancel', toJSON() { throw new Error('x') } })",
      "E_RUN_THREW",
    ],
    ["has no default export", "export const guard = 1", "E_RUN_MODULE"],
    ["does not parse", "export default (", "E_RUN_MODULE"],
    ["imports what is not there", "import 'left-pad'; export default () => {}", "E_RUN_MODULE"],
    ["throws when loaded", "throw new Error('early'); export default () => {}", "E_RUN_MODULE"],
    ["exits", "export default () => process.exit(0)", "E_RUN_EXITED"],
    [
      "lets a promise fall",
      "export default () => { Promise.reject(new Error('x')); return new Promise(() => {}) }",
      "E_RUN_THREW",
    ],
    [
      "throws later",
      "export default () => { setTimeout(() => { throw 1 }); return new Promise(() => {}) }",
      "E_RUN_THREW",
    ],
    ["answers text", "export default () => 'no'", "E_ANSWER_VALUE"],
    ["answers a list", "export default () => []", "E_ANSWER_ARRAY"],
    ["answers what nobody knows", "export default () => ({ verdict: 'no' })", "E_ANSWER_UNKNOWN"],
    ["answers 9 MB", "export default () => ({ answer: 'context', context: 'x'.repeat(9e6) })", "E_RUN_THREW"],
  ])("it %s", async (_, text, why) => {
    expect(await module(text)).toMatchObject({ outcome: "failed", why });
  });

  test.each([
    ["never resolves", "export default () => new Promise(() => {})"],
    ["spins", "export default () => { for (;;); }"],
    ["spins when loaded", "for (;;); export default () => {}"],
    ["holds a timer", "export default () => new Promise((done) => setTimeout(done, 1e6))"],
  ])("it %s: late", async (_, text) => {
    expect(await module(text, { handler: { timeoutMs: 700 } })).toMatchObject({ outcome: "late", why: "E_RUN_LATE" });
  });

  test("a shorter time that the chain has left counts", async () => {
    const never = "export default () => new Promise(() => {})";
    expect(await module(never, { call: { timeoutMs: 500 } })).toMatchObject({ outcome: "late" });
  });

  test("its signal fires before nobody listens any more", async () => {
    const text = `export default (event, ctx) => new Promise((done) => ctx.signal.addEventListener("abort", () => done({ answer: "context", context: "stopped" })))`;
    const outcome = await module(text, { handler: { timeoutMs: 700 } });
    expect(["answered", "late"]).toContain(outcome.outcome);
  });

  // A module that looks for the wire's descriptor finds it. It can speak for itself only, and every violation ends it.
  const wire = `import { readlinkSync, writeSync } from "node:fs";
    const [outer] = [...Array(64).keys()].slice(3).filter((fd) => { try { return readlinkSync("/proc/self/fd/" + fd).startsWith("pipe") && (writeSync(fd, ""), true) } catch { return false } });`;
  test.each([
    ["garbage", `writeSync(outer, "garbage\\n")`],
    ["bytes that are not UTF-8", `writeSync(outer, Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 10]))`],
    ["a second ready", `writeSync(outer, '{"ready":1}\\n')`],
    ["another call's id", `writeSync(outer, '{"id":7,"answer":{}}\\n')`],
    ["a frame with more in it", `writeSync(outer, '{"id":1,"answer":{},"extra":1}\\n')`],
    ["a key twice", `writeSync(outer, '{"id":1,"id":1,"answer":{}}\\n')`],
    ["an unknown request", `writeSync(outer, '{"id":1,"rpc":"spawn","n":1,"args":[]}\\n')`],
    ["a request out of turn", `writeSync(outer, '{"id":1,"rpc":"log","n":5,"args":""}\\n')`],
    ["a line without end", `for (;;) writeSync(outer, "x".repeat(65536))`],
    ["an empty line", `writeSync(outer, "\\n")`],
  ])("it says %s: E_RUN_FRAME", async (_, action) => {
    const text = `${wire} export default () => { ${action}; return new Promise(() => {}) }`;
    expect(await module(text)).toMatchObject({ outcome: "failed", why: "E_RUN_FRAME" });
  });

  test("it floods its streams", async () => {
    const text = "export default () => { for (;;) console.error('x'.repeat(1e6)) }";
    expect(await module(text)).toMatchObject({ outcome: "failed", why: "E_RUN_FLOODED" });
  });

  test("it eats memory", async () => {
    const text =
      "export default async () => { const all = []; for (;;) { all.push(new Uint8Array(8e6).fill(1)); await Bun.sleep(1) } }";
    const outcome = await module(text, { capabilities: { limits: { memoryMiB: 128, dataMiB: 64 } } });
    expect(outcome).toMatchObject({ outcome: "failed", why: "E_RUN_MEMORY" });
  });

  test("an event that is larger than the wire takes", async () => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      transcript_path: null,
      cwd: "/",
      tool_name: "Write",
    } as const;
    const tool_input = { file_path: "/a", content: "x".repeat(9_000_000) };
    expect(await module("export default () => {}", { call: { payload: { ...payload, tool_input } } })).toMatchObject({
      why: "E_RUN_PAYLOAD",
    });
  });
  test("seven megabytes arrive", async () => {
    const payload = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      transcript_path: null,
      cwd: "/",
      tool_name: "Write",
    } as const;
    const tool_input = { file_path: "/a", content: "x".repeat(7_000_000) };
    const text = "export default (event) => ({ answer: 'context', context: String(event.tool_input.content.length) })";
    expect(await module(text, { call: { payload: { ...payload, tool_input } } })).toMatchObject({
      answer: { context: "7000000" },
    });
  });
});

describe("what a module cannot do", () => {
  test("processes, sockets, the host's files, any disk", async () => {
    const text = `
      import { execFileSync, spawnSync } from "node:child_process";
      import * as fs from "node:fs";
      import { dlopen } from "bun:ffi";
      const tries = {
        bunSpawn: () => Bun.spawnSync([process.execPath, "-e", "1"]).exitCode,
        childProcess: () => execFileSync("/opt/hookpkg/hookpkg", ["--version"]),
        shell: () => { const { error } = spawnSync("/bin/sh", ["-c", "true"]); if (error) throw error; },
        fork: () => { if (dlopen("libc.so.6", { fork: { args: [], returns: "i32" } }).symbols.fork() === -1) throw 1; },
        listen: () => Bun.serve({ port: 0, fetch: () => new Response("") }),
        fetch: () => fetch("http://127.0.0.1:80/"),
        dns: () => Bun.dns.lookup("example.com"),
        passwd: () => fs.readFileSync("/etc/passwd"),
        home: () => fs.readdirSync("/root"),
        homes: () => fs.readdirSync("/home"),
        system: () => fs.readdirSync("/usr/bin/env"),
        ownPackage: () => fs.writeFileSync("/plugin/guard.ts", ""),
        newFile: () => fs.writeFileSync("/plugin/new", ""),
        bootstrap: () => fs.writeFileSync("/opt/hookpkg/bootstrap.js", ""),
        scratch: () => fs.writeFileSync("/tmp/x", ""),
        shm: () => fs.writeFileSync("/dev/shm/x", ""),
        kernel: () => fs.writeFileSync("/proc/sys/kernel/core_pattern", ""),
      };
      export default async () => {
        const possible = [];
        for (const [name, attempt] of Object.entries(tries)) try { await attempt(); possible.push(name) } catch {}
        return { answer: "context", context: "possible: " + possible.join() };
      }`;
    expect(await module(text)).toMatchObject({ outcome: "answered", answer: { context: "possible: " } });
  });

  test("it runs compiled, and may use threads", async () => {
    const text = `
      import * as jsc from "bun:jsc";
      function add(n) { let sum = 0; for (let i = 0; i < n; i++) sum = (sum + i) | 0; return sum }
      export default async () => {
        for (let i = 0; i < 200; i++) add(10000);
        const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(41 + 1)"])));
        const said = await new Promise((done) => { worker.onmessage = (event) => done(event.data) });
        return { answer: "context", context: [jsc.numberOfDFGCompiles(add) > 0, said].join() };
      }`;
    expect(await module(text)).toMatchObject({ answer: { context: "true,42" } });
  });
});
