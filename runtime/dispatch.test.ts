import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, decisionSchema, LOCK_FILE, type Payload } from "@hookpkg/spec";
import { dispatchTry } from "./dispatch.ts";
import { approve, drop } from "./gate/approve.ts";
import type { Runnable } from "./gate/runnable.ts";
import { disable } from "./gate/way-out.ts";
import { readJournal } from "./journal/reading.ts";
import { withLock } from "./person/file-lock.ts";
import { registerProject, USER } from "./person/projects.ts";
import {
  bash,
  consent,
  type HandlerText,
  lockOf,
  note,
  type Person,
  person,
  propose,
  send,
  sweepScratch,
  temporary,
  write,
} from "./test-project.ts";

afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
const cancel: Answer = { answer: "cancel", reason: "not here" };
const weak = { files: { "guard.ts": "export default () => 'weak';\n" } };
const store = (who: Person) => rmSync(who.home.store, { recursive: true });

async function guarded(...handlers: HandlerText[]): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: handlers.length === 0 ? [{}] : handlers } });
  await consent(who);
  return who;
}

/** Answers by handler id; others continue. */
function by(answers: Readonly<Record<string, Answer | ((recheck: boolean, command: unknown) => Answer)>>) {
  return ({ id }: Runnable, payload: Payload, recheck: boolean): Answer => {
    const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
    if (answer === undefined) return { answer: "continue" };
    return typeof answer === "function" ? answer(recheck, payload.tool_input?.command) : answer;
  };
}

test("an approved guard cancels; the decision names it and fits the wire", async () => {
  const who = await guarded();
  const { decision } = await send(who, {}, () => cancel);
  expect<unknown>(decisionSchema.parse(decision)).toEqual(decision);
  expect(decision).toMatchObject({ decision: "cancel", reason: `${NAME}: not here` });
  expect(decision.handlers).toMatchObject([
    { handler: NAME, state: "trusted", matched: true, outcome: "answered", answer: "cancel" },
  ]);
});

test("what was never approved does not run and holds nothing", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  const { decision, ran } = await send(who, {}, () => cancel);
  expect({ decision: decision.decision, ran }).toEqual({ decision: "continue", ran: [] });
});

test("while a change waits, the approved bytes go on running", async () => {
  const who = await guarded();
  await propose(who, { "@acme/no-rm": weak });
  const { decision, ran } = await send(who, {}, () => cancel);
  expect(ran.map(({ code }) => code)).toEqual(["export default () => undefined;\n"]);
  expect(decision.handlers[0]?.state).toBe("modified");
});

test("matcher, then if: who is not concerned is not run", async () => {
  const who = await guarded(
    { id: "a", matcher: "Write" },
    { id: "b", matcher: "Bash", if: "Bash(git *)" },
    { id: "c", matcher: "Ba.h" },
  );
  const { ran, decision } = await send(who, { command: "ls" });
  expect(ran.map(({ name }) => name)).toEqual(["@acme/no-rm#c"]);
  expect(decision.handlers.map(({ handler, matched }) => [handler, matched])).toEqual([
    ["@acme/no-rm#b", false],
    ["@acme/no-rm#c", true],
  ]);
});

test("the first cancel ends the chain, the rest is not reached", async () => {
  const who = await guarded({ id: "a" }, { id: "b" }, { id: "c" });
  const { ran, decision } = await send(who, {}, by({ b: cancel }));
  expect(ran.map(({ name }) => name)).toEqual(["@acme/no-rm#a", "@acme/no-rm#b"]);
  expect(decision.handlers.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "not-reached"]);
});

test("patches compose in order, and guards before the last one judge what will happen", async () => {
  const who = await guarded(
    { id: "a" },
    { id: "b", may: ["patch", "cancel"] },
    { id: "c", may: ["patch", "cancel"] },
    { id: "d" },
  );
  const patch = (command: string): Answer => ({ answer: "patch", fields: { tool_input: { command } } });
  const seen: unknown[] = [];
  const { decision } = await send(
    who,
    { command: "one" },
    by({
      a: (recheck, command) => {
        seen.push([recheck, command]);
        return recheck ? cancel : { answer: "continue" };
      },
      b: (recheck, command) => patch(recheck ? "never" : `${command} two`),
      c: (_, command) => patch(`${command} three`),
    }),
  );
  expect(seen).toEqual([
    [false, "one"],
    [true, "one two three"],
  ]);
  expect(decision.decision).toBe("cancel");
  expect(decision.handlers.at(-1)).toMatchObject({ handler: "@acme/no-rm#a", recheck: true, answer: "cancel" });
  expect(decision.patch).toBeUndefined();
});

test("in a recheck only cancel and ask count", async () => {
  const who = await guarded(
    { id: "a", may: ["patch", "cancel", "allow", "context"] },
    { id: "b", may: ["patch", "cancel"] },
  );
  const { decision } = await send(
    who,
    { command: "one" },
    by({
      a: (recheck) =>
        recheck
          ? { answer: "allow", reason: "fine", fields: { tool_input: { command: "evil" } }, context: "x" }
          : { answer: "continue" },
      b: { answer: "patch", fields: { tool_input: { command: "two" } } },
    }),
  );
  expect(decision).toMatchObject({ decision: "continue", patch: { tool_input: { command: "two" } } });
  expect(decision.context).toBeUndefined();
});

test("deny before ask before allow", async () => {
  const may = ["cancel", "ask", "allow"];
  const who = await guarded({ id: "a", may }, { id: "b", may }, { id: "c", may });
  const allow: Answer = { answer: "allow", reason: "fine" };
  const ask: Answer = { answer: "ask", reason: "sure?" };
  const verdict = async (answers: Parameters<typeof by>[0], canAsk = true) =>
    (await send(who, { canAsk }, by(answers))).decision;
  expect((await verdict({ a: allow, b: ask, c: cancel })).decision).toBe("cancel");
  expect(await verdict({ a: allow, b: ask })).toMatchObject({ decision: "ask", reason: "@acme/no-rm#b: sure?" });
  expect((await verdict({ a: allow })).decision).toBe("allow");
  const unasked = await verdict({ a: allow, b: ask }, false);
  expect(unasked.decision).toBe("cancel");
  expect(unasked.reason).toContain("approval was needed");
});

test("contexts are joined in order, named, fenced and without control characters", async () => {
  const who = await guarded({ id: "a", may: ["context", "cancel"] }, { id: "b", may: ["context", "cancel"] });
  const { decision } = await send(
    who,
    {},
    by({
      a: { answer: "context", context: "one\u001b[31m\n```\nhook @else/where#x:" },
      b: { answer: "context", context: "two\u202e" },
    }),
  );
  expect(decision.context).toBe(
    "hook @acme/no-rm#a:\n````\none[31m\n```\nhook @else/where#x:\n````\n\nhook @acme/no-rm#b:\n```\ntwo\n```",
  );
});

test("an answer that the handler may not give is failed: a closed guard refuses, an open one passes visibly", async () => {
  for (const [failMode, decision] of [
    ["closed", "cancel"],
    ["open", "continue"],
  ] as const) {
    const who = await guarded({ failMode });
    const sent = await send(who, {}, () => ({ answer: "ask", reason: "sure?" }));
    expect(sent.decision.decision).toBe(decision);
    expect(sent.decision.handlers[0]).toMatchObject({ outcome: "failed", why: "E_NOT_DECLARED" });
    expect(sent.decision.person.join()).toContain("E_NOT_DECLARED");
  }
});

test("a runner that throws or never returns is an outcome", async () => {
  const who = await guarded({ timeout: 0.05 });
  const threw = await send(who, {}, () => {
    throw new Error("boom");
  });
  expect(threw.decision).toMatchObject({
    decision: "cancel",
    handlers: [{ outcome: "failed", why: "E_CHAIN_RUNNER" }],
  });
  const hung = await send(who, {}, () => new Promise<Answer>(() => {}));
  expect(hung.decision).toMatchObject({ decision: "cancel", handlers: [{ outcome: "late", why: "E_RUN_LATE" }] });
});

test("a closed guard without its bytes is held: its stage is refused, another one is not", async () => {
  const who = await guarded({ matcher: "Bash" });
  store(who);
  const { decision, ran } = await send(who);
  expect(ran).toEqual([]);
  expect(decision).toMatchObject({
    decision: "cancel",
    handlers: [{ state: "held", outcome: "held", why: "E_STORE_MISSING" }],
  });
  const read = { tool_name: "Read", tool_input: { file_path: "/x" } };
  expect((await send(who, { payload: bash(who.root, "", read) })).decision.decision).toBe("continue");
});

test("an open handler without its bytes is passed, visibly", async () => {
  const who = await guarded({ failMode: "open" });
  store(who);
  const { decision } = await send(who);
  expect(decision).toMatchObject({ decision: "continue", handlers: [{ outcome: "skipped", why: "E_STORE_MISSING" }] });
  expect(linesWith(decision, "could not run (E_STORE_MISSING)")).toHaveLength(1);
});

test("unreadable approvals hold what the closed file names, and nothing else runs", async () => {
  const who = await guarded({ matcher: "Bash" });
  writeFileSync(join(who.home.state, "approvals.json"), "garbage");
  const { decision, ran } = await send(who);
  expect(ran).toEqual([]);
  expect(decision).toMatchObject({ decision: "cancel", handlers: [{ handler: NAME, state: "held", why: "E_JSON" }] });
  rmSync(join(who.home.state, "closed", `${who.project.id}.json`));
  const read = { tool_name: "Read", tool_input: { file_path: "/x" } };
  expect((await send(who, { payload: bash(who.root, "", read) })).decision.decision).toBe("cancel");
});

test("an unreadable list of projects refuses guarded tool calls", async () => {
  const who = await guarded();
  writeFileSync(join(who.home.state, "projects.json"), "garbage");
  const { decision } = await send(who);
  expect(decision.decision).toBe("cancel");
  expect(decision.person.join()).toContain("E_JSON");
});

test("the lock has no say in what runs: edited, emptied, garbled or gone", async () => {
  const who = await guarded();
  const edits = [
    () => propose(who, { "@acme/no-rm": weak }),
    () => propose(who, {}),
    () => write(who.root, LOCK_FILE, "garbage"),
    () => rmSync(join(who.root, ".hookpkg"), { recursive: true }),
  ];
  for (const edit of edits) {
    await edit();
    const { decision, ran } = await send(who, {}, () => cancel);
    expect(ran.map(({ code }) => code)).toEqual(["export default () => undefined;\n"]);
    expect(decision.decision).toBe("cancel");
  }
});

test("an extra package in the lock waits, and the chain keeps its approved order", async () => {
  const who = await person();
  await propose(who, { "@a/one": {}, "@b/two": {} });
  await consent(who);
  await propose(who, { "@c/three": {}, "@b/two": {}, "@a/one": {} });
  const { ran } = await send(who);
  expect(ran.map(({ name }) => name)).toEqual(["@a/one#guard", "@b/two#guard"]);
  await consent(who);
  expect((await send(who)).ran.map(({ name }) => name)).toEqual(["@c/three#guard", "@a/one#guard", "@b/two#guard"]);
});

test("options are the approved ones while others are proposed", async () => {
  const who = await person();
  const manifest = { options: { depth: { type: "number", default: 1 } } };
  await propose(who, { "@acme/no-rm": { manifest } });
  await consent(who);
  write(who.root, ".hookpkg/project.json", JSON.stringify({ options: { "@acme/no-rm": { depth: 99 } } }));
  const seen: unknown[] = [];
  await send(who, {}, (handler) => {
    seen.push(handler.options);
    return { answer: "continue" };
  });
  expect(seen).toEqual([{ depth: 1 }]);
});

test("only the closure is handed over: no declaration, no paper", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": { files: { "README.md": "read", "test/x.ts": "1", "lib/a.ts": "2" } } });
  await consent(who);
  const paths: string[] = [];
  await send(who, {}, (handler) => {
    paths.push(...handler.files.map(({ path }) => path));
    return { answer: "continue" };
  });
  expect(paths).toEqual(["guard.ts", "lib/a.ts"]);
});

test("a dropped or disabled handler stops at the next event of a running session", async () => {
  const who = await guarded();
  const signed = { signer: who.key, note, outside: who.outside };
  expect((await send(who)).ran).toHaveLength(1);
  await disable(who.home, who.project, [NAME], signed);
  expect((await send(who)).ran).toHaveLength(0);
  await disable(who.home, who.project, [NAME], { ...signed, undo: true });
  expect((await send(who)).ran).toHaveLength(1);
  await drop(who.home, who.project, [NAME], signed);
  expect((await send(who)).ran).toHaveLength(0);
});

test("a cycle switches the chain off as a whole: closed guards hold their stage, open ones are passed", async () => {
  const loop = [
    { id: "a", before: ["#b"] },
    { id: "b", before: ["#a"] },
  ];
  const who = await guarded(...loop, { id: "c", failMode: "open", matcher: "Read" });
  const { decision, ran } = await send(who);
  expect({ verdict: decision.decision, ran }).toEqual({ verdict: "cancel", ran: [] });
  expect(decision.handlers[0]).toMatchObject({ state: "held", why: "E_CHAIN_OFF" });
  expect(decision.person.join()).toContain("E_CHAIN_CYCLE");
  const open = await guarded(...loop.map((each) => ({ ...each, failMode: "open" })));
  expect((await send(open)).decision).toMatchObject({
    decision: "continue",
    handlers: [{ outcome: "skipped" }, { outcome: "skipped" }],
  });
});

test("a condition is told once per session, again when it changes or in another session; the journal has all", async () => {
  const who = await guarded({ failMode: "open" });
  const lines = async (session: string, answer: Answer) => {
    const payload = bash(who.root, "ls", { session_id: session });
    return linesWith((await send(who, { payload }, () => answer)).decision, "failed (").length;
  };
  const undeclared: Answer = { answer: "ask", reason: "x" };
  expect(await lines("s1", undeclared)).toBe(1);
  expect(await lines("s1", undeclared)).toBe(0);
  expect(await lines("s2", undeclared)).toBe(1);
  expect(await lines("s1", { answer: "continue" })).toBe(0);
  expect(await lines("s1", undeclared)).toBe(1);
  const journal = readJournal(who.home, who.project.id, { limit: 10 });
  expect(journal.map(({ session, outcome }) => `${session} ${outcome}`)).toEqual([
    "s1 failed",
    "s1 failed",
    "s2 failed",
    "s1 answered",
    "s1 failed",
  ]);
});

test("person lines have at most 100 characters, whatever a handler says; the model is told of no way out", async () => {
  const who = await guarded();
  const { decision } = await send(who, {}, () => ({ answer: "cancel", reason: `\u001b[2J${"x".repeat(5000)}` }));
  for (const line of decision.person) expect(line.length).toBeLessThanOrEqual(100);
  expect(decision.reason).not.toContain("\u001b");
  store(who);
  const held = await send(who);
  expect(held.decision.reason).not.toMatch(/disable|safe-mode|approve|uninstall|hookpkg [a-z]/);
  expect(held.decision.reason?.length).toBeGreaterThan(0);
});

test("an empty reason becomes one that names the handler", async () => {
  const who = await guarded();
  const { decision } = await send(who, {}, () => ({ answer: "cancel", reason: "\u0007 " }));
  expect(decision.reason).toBe(`${NAME}: it gave no reason`);
});

test("secrets appear nowhere: reason, context, journal", async () => {
  const who = await guarded({ may: ["cancel", "context"] });
  const secret = `ghp_${"a".repeat(36)}`;
  const { decision } = await send(who, {}, () => ({ answer: "cancel", reason: secret, context: secret }));
  expect(JSON.stringify(decision)).not.toContain(secret);
  expect(JSON.stringify(readJournal(who.home, who.project.id, { limit: 5 }))).not.toContain(secret);
});

test("a notice decides nothing", async () => {
  const who = await guarded({ event: "SessionEnd", failMode: "open", may: [] });
  const payload = {
    hook_event_name: "SessionEnd",
    session_id: "s1",
    transcript_path: null,
    cwd: who.root,
    reason: "exit",
  } as const;
  const { decision, ran } = await send(who, { payload });
  expect(ran).toHaveLength(1);
  expect(decision.decision).toBe("continue");
});

test("handlers of outer projects run first, and of worktrees and deeper folders; a lock above the cwd means nothing", async () => {
  const who = await guarded();
  const inner = join(who.root, "deep", "er");
  mkdirSync(inner, { recursive: true });
  expect((await send(who, { payload: bash(inner, "ls") })).ran).toHaveLength(1);
  const nested = { ...who, root: inner, project: await registerProject(who.home, inner) };
  await propose(nested, { "@b/inner": {} });
  await consent(nested);
  const { ran } = await send(nested, { payload: bash(inner, "ls", { session_id: "s9" }) });
  expect(ran.map(({ name }) => name)).toEqual([NAME, "@b/inner#guard"]);
  const stranger = temporary();
  write(stranger, LOCK_FILE, "{}");
  expect((await send(who, { payload: bash(stranger, "ls", { session_id: "s8" }) })).ran).toHaveLength(0);
});

test("a session stays with the projects it was seen in, wherever it changes to", async () => {
  const who = await guarded();
  await send(who);
  const { ran, decision } = await send(who, { payload: bash("/", "ls"), hostFolder: temporary() }, () => cancel);
  expect(ran).toHaveLength(1);
  expect(decision.decision).toBe("cancel");
});

test("--project, then the host's variable, decide where the project is", async () => {
  const who = await guarded();
  for (const where of [{ flag: who.root }, { hostFolder: who.root }]) {
    const payload = bash("/", "ls", { session_id: JSON.stringify(where) });
    expect((await send(who, { payload, ...where })).ran).toHaveLength(1);
  }
});

test("what is installed for all projects runs before a project's own, and where there is no project", async () => {
  const who = await guarded();
  const lock = await lockOf(who.home, { "@u/all": {} });
  mkdirSync(who.home.config, { recursive: true });
  writeFileSync(join(who.home.config, "lock.json"), JSON.stringify(lock), { mode: 0o600 });
  const identity = lock.packages["@u/all"]?.handlers.guard ?? "hk1:";
  const wanted = [{ handler: "@u/all#guard", identity, decided: "approved" }] as const;
  await approve(who.home, USER, wanted, { signer: who.key, note, outside: who.outside });
  expect((await send(who)).ran.map(({ name }) => name)).toEqual(["@u/all#guard", NAME]);
  const payload = bash("/", "ls", { session_id: "s7" });
  expect((await send(who, { payload })).ran.map(({ name }) => name)).toEqual(["@u/all#guard"]);
});

test("managed handlers run first and are neither dropped, disabled nor switched off by a broken chain below", async () => {
  const who = await guarded({ id: "guard" }, { id: "a", before: ["#gone"], failMode: "open" });
  const { packages } = await lockOf(who.home, { "@m/managed": {} });
  const entry = packages["@m/managed"];
  const managed = [
    { handler: "@m/managed#guard", identity: entry?.handlers.guard, registry: "r", integrity: entry?.integrity },
  ];
  write(join(who.policy, ".."), "policy.json", JSON.stringify({ v: 1, managed }));
  const { ran, decision } = await send(who);
  expect(ran.map(({ name }) => name)).toEqual(["@m/managed#guard"]);
  expect(decision.person.join()).toContain("E_CHAIN_REFERENCE");
  renameSync(who.home.store, `${who.home.store}-gone`);
  expect((await send(who)).decision.handlers[0]).toMatchObject({ handler: "@m/managed#guard", state: "held" });
});

test("a policy that anybody could have written holds tool calls", async () => {
  const who = await guarded({ failMode: "open" });
  write(join(who.policy, ".."), "policy.json", JSON.stringify({ v: 1, managed: [] }));
  expect((await send(who)).decision.decision).toBe("continue");
  writeFileSync(who.policy, "garbage");
  expect((await send(who)).decision).toMatchObject({ decision: "cancel" });
  expect((await send(who)).decision.handlers[0]).toMatchObject({ state: "held", why: "E_POLICY" });
});

test("try runs the same chain and leaves no trace", async () => {
  const who = await guarded();
  const sessions = join(who.home.state, "sessions");
  const engine = {
    ...{ home: who.home, outside: who.outside, secrets: [] },
    run: () => async () => ({ outcome: "answered", answer: cancel, ms: 1 }) as const,
  };
  const decision = await dispatchTry({ payload: bash(who.root, "ls"), host: "native", canAsk: false }, engine);
  expect(decision.decision).toBe("cancel");
  expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
  expect(readJournal(who.home, who.project.id, { limit: 5 })).toEqual([]);
});

test("a journal that can't be written changes no decision and is told", async () => {
  const who = await guarded();
  mkdirSync(who.home.state, { recursive: true });
  writeFileSync(join(who.home.state, "journal"), "in the way");
  const { decision } = await send(who, {}, () => cancel);
  expect(decision.decision).toBe("cancel");
  expect(decision.person.join()).toContain("E_HOME_LINK");
});

test("after three refusals in a row the person's line names the way out; the model's never does", async () => {
  const who = await guarded();
  const names = async (answer: Answer) => {
    const { decision } = await send(who, {}, () => answer);
    expect(decision.reason ?? "").not.toContain("disable");
    return decision.person.some((line) => line.includes("hookpkg disable"));
  };
  const told = [await names(cancel), await names(cancel), await names(cancel)];
  expect([...told, await names({ answer: "continue" }), await names(cancel)]).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});

test("somebody who sits on our locks delays a decision and does not change it", async () => {
  const who = await guarded();
  await send(who);
  const { promise, resolve } = Promise.withResolvers<void>();
  const sitting = withLock(who.home, join(who.home.state, "sessions.lock"), () => promise);
  const payload = bash(who.root, "ls", { session_id: "s2" });
  const { decision } = await send(who, { payload }, () => cancel);
  expect(decision.decision).toBe("cancel");
  expect(decision.person.join()).toContain("E_STATE_BUSY");
  resolve();
  await sitting;
});

test("no time left for a closed guard is late: refused", async () => {
  const who = await guarded();
  const { decision, ran } = await send(who, { ceilingMs: 0 });
  const handlers = [{ handler: "builtin:hookpkg#self", outcome: "late" }, { outcome: "not-reached" }];
  expect({ ran, handlers: decision.handlers }).toMatchObject({ ran: [], handlers });
  expect(decision.decision).toBe("cancel");
});

const linesWith = (decision: { person: readonly string[] }, word: string) =>
  decision.person.filter((line) => line.includes(word));

test("what waits is asked about once per session and change, and the model is not told", async () => {
  const who = await guarded();
  const asked = async (session = "s1") => {
    const { decision } = await send(who, { payload: bash(who.root, "ls", { session_id: session }) });
    expect(JSON.stringify({ ...decision, person: [] })).not.toContain("approv");
    return linesWith(decision, "for your approval").length;
  };
  expect(await asked()).toBe(0);
  await propose(who, { "@acme/no-rm": weak, "@b/new": {} });
  expect([await asked(), await asked(), await asked("s2")]).toEqual([1, 0, 1]);
  await propose(who, {});
  expect([await asked(), await asked()]).toEqual([1, 0]);
});

test("every decision since the last session is announced at the next one's first event", async () => {
  const who = await guarded();
  const announced = async (session: string) => {
    const { decision } = await send(who, { payload: bash(who.root, "ls", { session_id: session }) });
    return linesWith(decision, "since the last session").length;
  };
  expect([await announced("s1"), await announced("s1")]).toEqual([1, 0]);
  who.outside.at += 1000;
  expect(await announced("s2")).toBe(0);
  who.outside.at += 1000;
  await propose(who, { "@acme/no-rm": weak });
  await consent(who, "approved", who.key, new Date(who.outside.at).toISOString());
  expect([await announced("s2"), await announced("s3")]).toEqual([0, 1]);
});

test("a session that is led into another project keeps the guards of the one before", async () => {
  const who = await guarded();
  const root = temporary();
  const other = { ...who, root, project: await registerProject(who.home, root) };
  await propose(other, { "@b/other": {} });
  await consent(other);
  await send(who);
  const { ran } = await send(who, { payload: bash(root, "ls"), hostFolder: root });
  expect(ran.map(({ name }) => name)).toEqual([NAME, "@b/other#guard"]);
});

test("a session's start says what guards it, once, and again when that has changed", async () => {
  const who = await guarded({ id: "a" }, { id: "b", may: ["context"], failMode: "open" });
  const start = async (session = "s9") => {
    const payload = { ...bash(who.root, ""), hook_event_name: "SessionStart", session_id: session, source: "startup" };
    const { tool_name: _, tool_input: __, ...rest } = payload as Payload;
    return linesWith((await send(who, { payload: rest as Payload })).decision, " on");
  };
  expect(await start()).toEqual(["hookpkg: 1 guard on, 1 other hook, 0 waiting"]);
  expect(await start()).toEqual([]);
  await propose(who, { "@acme/no-rm": weak });
  expect((await start())[0]).toContain("waiting");
});
