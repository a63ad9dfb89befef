import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import type { JournalLine } from "@hookpkg/spec";
import { readJournal } from "../journal/reading.ts";
import { REAL_OUTSIDE } from "../outside.ts";
import { liveSessions } from "../person/sessions.ts";
import { sweepScratch } from "../test-project.ts";
import type { HookChain } from "./chain.ts";
import { openChain } from "./chain.ts";
import { bash, guarded, opened } from "./test-embedder.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

/** Code and facts of what a misuse is answered with. */
async function misuse(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isFault(error)) throw new Error(`no fault: ${error}`);
  return [error.code, error.facts.path].filter(Boolean).join(" ");
}

test("events in, decisions out: cancel, patch and context, with what the chain knows filled in", async () => {
  const who = await guarded(
    {
      may: ["cancel"],
      body: `if (event.tool_input.command.includes("rm")) return { answer: "cancel", reason: "no" };`,
    },
    {
      may: ["patch"],
      failMode: "open",
      body: `return { answer: "patch", fields: { tool_input: { command: event.tool_input.command + " -i" } } };`,
    },
    {
      event: "SessionStart",
      failMode: "open",
      may: ["context"],
      body: `return { answer: "context", context: JSON.stringify([ctx.host, ctx.session, event.cwd, event.transcript_path, event.mine]) };`,
    },
  );
  await using chain = opened(who);
  expect(await chain.dispatch("PreToolUse", bash("rm x"))).toMatchObject({
    decision: "cancel",
    reason: "file:./guard#g0: no",
    handlers: [{ outcome: "answered", answer: "cancel" }, { outcome: "not-reached" }],
  });
  expect(await chain.dispatch("tool.call", bash("ls"))).toMatchObject({
    decision: "continue",
    patch: { tool_input: { command: "ls -i" } },
  });
  const started = await chain.dispatch("SessionStart", { source: "startup", mine: 7 });
  expect(started.context).toContain(JSON.stringify(["native", chain.session, who.root, null, 7]));
  const named = await chain.dispatch("SessionStart", { session_id: "theirs", cwd: "/" });
  expect(named.context).toContain(JSON.stringify(["native", "theirs", "/", null, undefined]));
});

test("what only the caller can mend is thrown, with the codes of the native form; nothing that handlers do is", async () => {
  const who = await guarded({ body: `throw new Error("oh")` });
  await using chain = opened(who);
  const send = (event: string, payload: unknown) => misuse(chain.dispatch(event, payload as { x?: unknown }));
  expect(await send("PreToolUse", { tool_input: {} })).toBe("E_HOST_FIELD tool_name");
  expect(await send("PreToolUse", { tool_name: "Bash" })).toBe("E_HOST_FIELD tool_input");
  expect(await send("PreToolUse", { ...bash("ls"), cwd: "here" })).toBe("E_HOST_FIELD cwd");
  expect(await send("UserPromptSubmit", {})).toBe("E_HOST_FIELD prompt");
  expect(await send("pretooluse", bash("ls"))).toBe("E_HOST_EVENT_NAME");
  expect(await send("No Such Event", {})).toBe("E_CHAIN_EVENT");
  expect(await send("PreToolUse", { ...bash("ls"), hook_event_name: "Stop" })).toBe("E_CHAIN_EVENT hook_event_name");
  for (const wrong of [null, undefined, [], "x", 1n]) expect(await send("Stop", wrong)).toBe("E_CHAIN_EVENT payload");
  const round: Record<string, unknown> = {};
  round.self = round;
  expect(await send("Stop", round)).toBe("E_CHAIN_EVENT payload");
  expect(await chain.dispatch("PreToolUse", bash("ls"))).toMatchObject({
    decision: "cancel",
    handlers: [{ outcome: "failed", why: "E_RUN_THREW" }],
  });
});

test("lines of the journal and runs are heard as they happen; what a listener throws changes nothing", async () => {
  const who = await guarded({ body: `return { answer: "cancel", reason: "the key is " + ctx.session };` });
  const lines: JournalLine[] = [];
  const runs: unknown[] = [];
  const oh = (_heard: number) => {
    throw new Error("oh");
  };
  await using chain = opened(who, {
    env: { API_TOKEN: "s3cret-s3cret-s3cret" },
    onJournal: (line) => oh(lines.push(line)),
    onRun: async (run) => oh(runs.push(run)),
  });
  const { decision } = await chain.dispatch("PreToolUse", { ...bash("ls"), session_id: "s3cret-s3cret-s3cret" });
  expect(decision).toBe("cancel");
  expect(lines).toEqual(await readJournal(who.home, who.project.id, { limit: 9 }));
  expect(lines).toMatchObject([{ handler: "file:./guard#g0", outcome: "answered", told: "cancel" }]);
  expect(JSON.stringify(lines)).not.toContain("s3cret");
  const run = { event: "PreToolUse", handler: "file:./guard#g0", recheck: false };
  expect(runs).toMatchObject([
    { ...run, phase: "started" },
    { ...run, phase: "completed", outcome: "answered", answer: "cancel" },
  ]);
});

test("a prompt on a notice begins a turn of the embedder's; a model of theirs is asked by handlers", async () => {
  const who = await guarded(
    { event: "turn.failed", type: "prompt", prompt: "look at $ARGUMENTS", failMode: "open", may: [] },
    { type: "prompt", prompt: "is it well? $ARGUMENTS", may: ["cancel"] },
    { event: "custom.build", failMode: "open", may: [], body: `await ctx.storage.set("seen", event.payload);` },
  );
  const turns: unknown[] = [];
  const asked: string[] = [];
  await using chain = opened(who, {
    onTrigger: async ({ handler, event, prompt, project }) => {
      turns.push([handler, event, prompt.includes("disk full"), project]);
    },
    model: async ({ prompt }) => {
      asked.push(prompt);
      return { text: `{"ok": false, "reason": "not today"}`, calls: [] };
    },
  });
  expect(await chain.dispatch("turn.failed", { error: "disk full" })).toMatchObject({ decision: "continue" });
  expect(turns).toEqual([["file:./guard#g0", "turn.failed", true, who.root]]);
  const { decision, reason } = await chain.dispatch("PreToolUse", bash("deploy"));
  expect([decision, reason?.includes("not today"), asked.length]).toEqual(["cancel", true, 1]);
  expect(await chain.emit("custom.build", { ok: true })).toMatchObject({
    handlers: [{ handler: "file:./guard#g2", outcome: "answered" }],
    problems: [],
  });
  expect(await misuse(chain.emit("custom.Build" as "custom.build"))).toBe("E_EMIT_NAME");
});

test("an embedder's event does not pass for what a handler told", async () => {
  const who = await guarded(
    {
      event: "custom.deploy",
      failMode: "open",
      may: [],
      body: `await ctx.storage.set("seen", [event.emitted_by ?? null, event.mine ?? null]);`,
    },
    {
      ...{ event: "SessionStart", failMode: "open", may: ["context"] },
      body: `return { answer: "context", context: JSON.stringify(await ctx.storage.get("seen")) };`,
    },
  );
  await using chain = opened(who, { host: "acme-agent" });
  const seen = async () => (await chain.dispatch("SessionStart", { source: "startup" })).context;
  await chain.dispatch("custom.deploy", { payload: {}, emitted_by: "@acme/ops#ship", mine: 1 });
  expect(await seen()).toContain("[null,1]");
  await chain.emit("custom.deploy");
  expect(await seen()).toContain('["acme-agent",null]');
});

test("several chains, many events at once: each project's own guards answer", async () => {
  const [one, two] = await Promise.all(
    ["one", "two"].map((word) =>
      guarded({ body: `return { answer: "cancel", reason: "${word} " + event.tool_input.command };` }),
    ),
  );
  if (one === undefined || two === undefined) throw new Error("two were made");
  await using first = opened(one);
  await using second = opened(two, { host: "acme-agent" });
  const ask = async (chain: HookChain, n: number) => (await chain.dispatch("PreToolUse", bash(`${n}`))).reason;
  const said = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n % 2 === 0 ? first : second, n)));
  expect(said).toEqual(said.map((_, n) => `file:./guard#g0: ${n % 2 === 0 ? "one" : "two"} ${n}`));
  expect((await second.handlers())[0]).toMatchObject({
    ...{ handler: "file:./guard#g0", event: "PreToolUse", runs: "runnable", state: "trusted", failMode: "closed" },
  });
  // An agent with a name is a host at work; one without is nobody.
  expect((await liveSessions(one.home, one.project.id, REAL_OUTSIDE)).length).toBe(0);
  expect((await liveSessions(two.home, two.project.id, REAL_OUTSIDE)).map(({ host }) => host)).toEqual(["acme-agent"]);
});

test("nothing of the process is changed, and nothing is left of a chain that is closed", async () => {
  const who = await guarded({ body: "" });
  const state = () => [
    process.eventNames().map((name) => [name, process.listenerCount(name)]),
    process.umask(),
    process.cwd(),
  ];
  const before = state();
  const chain = opened(who);
  await chain.dispatch("PreToolUse", bash("ls"));
  expect(state()).toEqual(before);
  await chain.close();
  await chain.close();
  expect(state()).toEqual(before);
  expect(await misuse(chain.dispatch("PreToolUse", bash("ls")))).toBe("E_CHAIN_CLOSED");
  expect(await misuse(chain.emit("custom.x"))).toBe("E_CHAIN_CLOSED");
  const stop = new AbortController();
  const other = opened(who, { signal: stop.signal });
  stop.abort();
  expect(await misuse(other.dispatch("Stop", {}))).toBe("E_CHAIN_CLOSED");
  await other.close();
});

test("an option that cannot be is refused at once", () => {
  const code = (options: Parameters<typeof openChain>[0]) => {
    try {
      openChain({ home: "/nonexistent/home", ...options });
    } catch (error) {
      return isFault(error) ? [error.code, error.facts.option].filter(Boolean).join(" ") : `${error}`;
    }
    return "";
  };
  expect(code({ project: "/nonexistent/project" })).toBe("E_CHAIN_OPTION project");
  for (const host of ["claude-code", "eva", "", "Acme", "a b"]) expect(code({ host })).toBe("E_CHAIN_OPTION host");
  for (const askTimeoutMs of [0, -1, Number.NaN, 2 ** 31])
    expect(code({ askTimeoutMs })).toBe("E_CHAIN_OPTION askTimeoutMs");
  for (const worker of ["bun", "/nonexistent/bun", "/usr/bin/true", "/bin/cat"])
    expect(code({ worker })).toBe("E_CHAIN_WORKER");
});
