import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { event, folder, module, type Trial, trial } from "./test-run.ts";
import { MAX_CRASHES, MAX_WAITING, MAX_WORKERS_A_PACKAGE, Workers } from "./workers.ts";

const open: Workers[] = [];
afterEach(async () => {
  for (const workers of open.splice(0)) await workers.close();
});

function pool(options: ConstructorParameters<typeof Workers>[0] = {}): Workers {
  const workers = new Workers(options);
  open.push(workers);
  return workers;
}

/** Each call answers with the number of calls that this process has seen. */
const COUNT = `let calls = 0; export default () => ({ answer: "context", context: String(++calls) })`;
const dataFolder = join(folder(), "data");
const said = (outcome: Outcome) =>
  outcome.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : JSON.stringify(outcome);
const count = async (workers: Workers, more: Trial = {}) =>
  said(await module(COUNT, { workers, ...more, call: { dataFolder, ...more.call } }));

describe("a warm worker", () => {
  test("serves one call after the other; without a pool each call has its own", async () => {
    const workers = pool();
    expect([await count(workers), await count(workers), await count(workers)]).toEqual(["1", "2", "3"]);
    expect(workers.size).toBe(1);
    expect([said(await module(COUNT)), said(await module(COUNT))]).toEqual(["1", "1"]);
  });

  test("is never another package's, project's, options', right's or byte's", async () => {
    const workers = pool();
    await count(workers);
    const project = folder();
    const others: Trial[] = [
      { source: "@a/c" },
      { call: { dataFolder: `${dataFolder}2` } },
      { call: { project } },
      { call: { options: { depth: 1 } } },
      { capabilities: { env: ["TOKEN"] } },
      { files: { "more.txt": "x" } },
    ];
    for (const other of others) expect(await count(workers, other)).toBe("1");
  });

  test("is replaced when bytes or options change, and what it was is gone", async () => {
    const workers = pool();
    await count(workers);
    await count(workers, { call: { options: { depth: 1 } } });
    await count(workers, { files: { "more.txt": "x" } });
    await until(() => workers.size === 1);
    expect(await count(workers)).toBe("1");
  });

  test("of a project that it may read is replaced when a secret appears in it", async () => {
    const workers = pool();
    const project = folder();
    chmodSync(project, 0o755);
    const text = `import { readFileSync } from "node:fs"; let calls = 0;
      export default (event, ctx) => { let seen; try { seen = readFileSync(ctx.project + "/.env", "utf8") } catch (error) { seen = error.code }
        return { answer: "context", context: ++calls + " " + seen } }`;
    const look = async () =>
      said(await module(text, { workers, capabilities: { project: "read" }, call: { dataFolder, project } }));
    expect([await look(), await look()]).toEqual(["1 ENOENT", "2 ENOENT"]);
    writeFileSync(join(project, ".env"), "KEY=secret");
    expect(await look()).not.toContain("secret");
  });

  test("serves all modules of its package, and one that never ends loading holds no other", async () => {
    const workers = pool();
    const files = { "b.ts": COUNT, "spin.ts": "for (;;);" };
    const run = (path: string) =>
      trial(
        { type: "module", path, export: "default", isolate: "worker" },
        { workers, files, call: { dataFolder }, handler: { timeoutMs: path === "spin.ts" ? 700 : 20_000 } },
      );
    expect(said(await run("b.ts"))).toBe("1");
    expect(await run("spin.ts")).toMatchObject({ outcome: "late" });
    expect(said(await run("b.ts"))).toBe("1");
    expect(said(await run("b.ts"))).toBe("2");
  });

  test("keeps no variable, remark or note of an earlier call", async () => {
    const workers = pool();
    const text = `let last; export default async (event, ctx) => {
      const context = JSON.stringify([ctx.env, Object.keys(process.env).includes("TOKEN")]);
      if (ctx.env.TOKEN) { console.error("remark", ctx.env.TOKEN); ctx.log("log"); await ctx.fetch("http://x").catch(() => {}); }
      return { answer: "context", context } }`;
    const more = { workers, capabilities: { env: ["TOKEN"] } };
    const first = await module(text, { ...more, call: { dataFolder, env: { TOKEN: "t" } } });
    const second = await module(text, { ...more, call: { dataFolder } });
    expect([said(first), said(second)]).toEqual(['[{"TOKEN":"t"},false]', "[{},false]"]);
    expect(first).toMatchObject({
      stderr: expect.stringMatching(/log[\s\S]*remark t/),
      denied: ["net x:80: not declared"],
    });
    expect([second.stderr, "denied" in second]).toEqual([undefined, false]);
  });

  test("isolate call: each call has a process of its own, started before it", async () => {
    const workers = pool();
    const call = () =>
      trial(
        { type: "module", path: "guard.ts", export: "default", isolate: "call" },
        { workers, files: { "guard.ts": COUNT }, call: { dataFolder } },
      );
    expect(said(await call())).toBe("1");
    await until(() => workers.size === 1);
    expect(said(await call())).toBe("1");
  });

  test("is recycled after a number of calls", async () => {
    const workers = pool({ maxCalls: 2 });
    const counts = [await count(workers), await count(workers), await count(workers)];
    expect(counts).toEqual(["1", "2", "1"]);
  });
});

describe("what breaks", () => {
  /** Behaves as the command says. */
  const MOODY = `import { readlinkSync, writeSync } from "node:fs"; let calls = 0;
    const [outer] = [...Array(64).keys()].slice(3).filter((fd) => { try { return readlinkSync("/proc/self/fd/" + fd).startsWith("pipe") && (writeSync(fd, ""), true) } catch { return false } });
    export default async (event, ctx) => {
      const { command } = event.tool_input; calls++;
      if (command === "exit") process.exit(3);
      if (command === "throw") throw new Error("boom");
      if (command === "spin") for (;;);
      if (command === "speak") writeSync(outer, '{"id":99,"answer":{}}\\n');
      if (command === "after") setTimeout(() => writeSync(outer, '{"id":1,"answer":{}}\\n'), 1);
      if (command === "wait") await new Promise((done) => setTimeout(done, 50));
      return { answer: "context", context: String(calls) } }`;
  const ask = (workers: Workers, command: string, timeoutMs = 20_000) =>
    module(MOODY, {
      ...{ workers, handler: { timeoutMs } },
      call: { dataFolder, payload: { ...event, tool_input: { command } } },
    });

  test("loses one answer, not the pool", async () => {
    const workers = pool();
    expect(said(await ask(workers, "ok"))).toBe("1");
    expect(await ask(workers, "exit")).toMatchObject({ why: "E_RUN_EXITED" });
    expect(said(await ask(workers, "ok"))).toBe("1");
    expect(await ask(workers, "throw")).toMatchObject({ why: "E_RUN_THREW" });
    expect(said(await ask(workers, "ok"))).toBe("3");
    expect(await ask(workers, "spin", 500)).toMatchObject({ outcome: "late" });
    expect(said(await ask(workers, "ok"))).toBe("1");
    expect(await ask(workers, "speak")).toMatchObject({ why: "E_RUN_FRAME" });
    expect(said(await ask(workers, "ok"))).toBe("1");
  });

  test("a word between two calls ends it", async () => {
    const workers = pool();
    expect(said(await ask(workers, "after"))).toBe("1");
    await until(() => workers.size === 0);
    expect(said(await ask(workers, "ok"))).toBe("1");
  });

  test("again and again: it rests, and is tried again afterwards", async () => {
    const clock = { now: 0 };
    const workers = pool({ now: () => clock.now });
    for (let n = 0; n < MAX_CRASHES; n++) expect(await ask(workers, "exit")).toMatchObject({ why: "E_RUN_EXITED" });
    expect(await ask(workers, "ok")).toMatchObject({ outcome: "failed", why: "E_RUN_CRASHES" });
    clock.now += 60_000;
    expect(said(await ask(workers, "ok"))).toBe("1");
  });

  test("calls at once share four workers, and too many are refused", async () => {
    const workers = pool();
    const many = MAX_WORKERS_A_PACKAGE + MAX_WAITING + 5;
    const outcomes = await Promise.all(Array.from({ length: many }, () => ask(workers, "wait", 60_000)));
    const refused = outcomes.filter((one) => one.outcome === "failed");
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ why: "E_RUN_QUEUE" });
    expect(outcomes.filter((one) => one.outcome === "answered")).toHaveLength(many - 5);
    expect(workers.size).toBe(MAX_WORKERS_A_PACKAGE);
  });

  test("waiting for a worker counts as the handler's own time", async () => {
    const workers = pool();
    const busy = Array.from({ length: MAX_WORKERS_A_PACKAGE }, () => ask(workers, "spin", 1500));
    await until(() => workers.size === MAX_WORKERS_A_PACKAGE);
    expect(await ask(workers, "ok", 300)).toMatchObject({ outcome: "late", detail: "no worker was free" });
    await Promise.all(busy);
  });

  test("a large event holds nobody up, and comes through whole", async () => {
    const workers = pool();
    const text = `export default (event) => ({ answer: "context", context: String(event.tool_input.content?.length ?? "small") })`;
    const send = (tool_input: Record<string, unknown>) =>
      module(text, { workers, call: { dataFolder, payload: { ...event, tool_input } } });
    const large = "x".repeat(7_000_000);
    const outcomes = await Promise.all([send({ content: large }), send({}), send({ content: large }), send({})]);
    expect(outcomes.map(said)).toEqual(["7000000", "small", "7000000", "small"]);
  });
});

test("closing leaves no process", async () => {
  const workers = new Workers();
  const mark = `mark-${crypto.randomUUID()}`;
  await count(workers, { files: { [`${mark}.txt`]: "x" } });
  const children = childrenOf(process.pid);
  expect(children.length).toBeGreaterThan(0);
  await workers.close();
  expect(workers.size).toBe(0);
  expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});

function childrenOf(pid: number): string[] {
  const found = Bun.spawnSync(["/usr/bin/pgrep", "-P", `${pid}`, "prlimit|bwrap"]);
  return found.stdout.toString().split("\n").filter(Boolean);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5);
}
