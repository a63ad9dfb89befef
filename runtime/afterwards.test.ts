import { afterEach, expect, test } from "bun:test";
import type { Answer, Payload } from "@hookpkg/spec";
import { readJournal } from "./journal/reading.ts";
import { bash, consent, type HandlerText, type Person, person, propose, send, sweepScratch } from "./test-project.ts";

afterEach(sweepScratch);

async function watched(...handlers: HandlerText[]): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/watch": { handlers } });
  await consent(who);
  return who;
}

const OBSERVER = { id: "watch", failMode: "open", may: [], async: true };
const NOTICE = { id: "note", event: "SessionEnd", failMode: "open", may: [] };
const event = (who: Person, name: string, more: Partial<Payload> = {}) =>
  ({ ...bash(who.root, "ls", more), hook_event_name: name }) as Payload;
const fine: Answer = { answer: "continue" };

/** One event whose later work is kept, to be done when the test says so. */
async function sent(
  who: Person,
  request: Parameters<typeof send>[1] = {},
  answer: Parameters<typeof send>[2] = () => fine,
) {
  const left: (() => Promise<void>)[] = [];
  const { decision, ran } = await send(who, { after: (work) => void left.push(work), ...request }, answer);
  const later = async () => {
    for (const work of left.splice(0)) await work();
  };
  return { decision, ran, later };
}
const journaled = (who: Person) =>
  readJournal(who.home, who.project.id, { limit: 50 }).map(({ handler, outcome, why }) =>
    [handler.split("#")[1], outcome, why].filter(Boolean).join(" "),
  );

test("an observer runs when the decision is out; its answer is ignored, its failure holds nothing and is told next time", async () => {
  const who = await watched({ id: "guard" }, OBSERVER);
  const { decision, ran, later } = await sent(who, {}, ({ id }) => {
    if (id === "watch") throw new Error("boom");
    return fine;
  });
  expect(ran.map(({ name }) => name)).toEqual(["@acme/watch#guard"]);
  expect(decision.decision).toBe("continue");
  expect(decision.handlers.map(({ handler, outcome }) => [handler, outcome])).toEqual([
    ["@acme/watch#guard", "answered"],
    ["@acme/watch#watch", undefined],
  ]);
  await later();
  expect(ran.map(({ name }) => name)).toEqual(["@acme/watch#guard", "@acme/watch#watch"]);
  expect(journaled(who)).toEqual(["guard answered", "watch not-run it runs after the decision", "watch failed boom"]);
  const next = await sent(who);
  expect(next.decision.person.join()).toContain("@acme/watch#watch failed (E_CHAIN_RUNNER)");
  expect((await sent(who)).decision.person).toEqual([]);
});

test("an observer sees what really happens, also when it was cancelled", async () => {
  const who = await watched({ id: "patcher", may: ["patch", "cancel"] }, OBSERVER);
  const { ran, later } = await sent(who, {}, ({ id }) =>
    id === "patcher" ? { answer: "patch", fields: { tool_input: { command: "pwd" } } } : fine,
  );
  await later();
  expect(ran.at(-1)?.payload.tool_input).toEqual({ command: "pwd" });
  const refused = await sent(who, {}, () => ({ answer: "cancel", reason: "no" }));
  await refused.later();
  expect(refused.ran.map(({ name }) => name)).toContain("@acme/watch#watch");
  expect(refused.decision.decision).toBe("cancel");
});

test("a host does not wait for notices; an embedder that takes nothing for later does", async () => {
  const who = await watched({ ...NOTICE, event: "Notification" });
  const payload = event(who, "Notification");
  const host = await sent(who, { payload });
  expect(host.ran).toEqual([]);
  await host.later();
  expect(host.ran).toHaveLength(1);
  expect((await send(who, { payload, host: "native" })).decision.handlers).toMatchObject([{ outcome: "answered" }]);
});

test("a session's end: one second each, and what has no time left is journaled as clamped", async () => {
  const ids = ["a", "b", "c", "d", "e"];
  const who = await watched(...ids.map((id) => ({ ...NOTICE, id, timeout: 10 })));
  const given: number[] = [];
  for (const [stays, ran] of [
    [false, 1],
    [true, 3],
  ] as const) {
    given.length = 0;
    const payload = event(who, "SessionEnd", { session_id: `${stays}` });
    // Each takes all the time it gets, as far as the chain's clock tells.
    const clock = performance.now;
    let skipped = 0;
    performance.now = () => clock.call(performance) + skipped;
    try {
      const { later } = await sent(who, { payload, stays }, () => {
        skipped += 1000;
        return fine;
      });
      await later();
    } finally {
      performance.now = clock;
    }
    const lines = readJournal(who.home, who.project.id, { limit: 50 }).filter(({ session }) => session === `${stays}`);
    const ends = lines.filter(({ why }) => why !== "it runs after the decision");
    expect(ends.filter(({ outcome }) => outcome === "answered")).toHaveLength(ran);
    const clamped = ends.filter(({ why }) => why?.startsWith("clamped"));
    expect(clamped.map(({ code }) => code)).toEqual(Array.from({ length: ids.length - ran }, () => "E_RUN_LATE"));
  }
});

test("once is spent by a run that answered, in this session only; another identity has its own", async () => {
  const once = { id: "first", event: "SessionStart", failMode: "open", may: ["context"], once: true };
  const who = await watched(once);
  const start = async (session: string, answer: Parameters<typeof send>[2] = () => fine) => {
    const payload = event(who, "SessionStart", { session_id: session, source: "startup" });
    return (await sent(who, { payload }, answer)).ran.length;
  };
  const boom = () => {
    throw new Error("boom");
  };
  expect(await start("s1", boom)).toBe(1);
  expect(await start("s1")).toBe(1);
  expect(await start("s1")).toBe(0);
  expect(journaled(who).at(-1)).toBe("first not-run it has answered once in this session");
  expect(await start("s2")).toBe(1);
  await propose(who, { "@acme/watch": { handlers: [once], files: { "guard.ts": "export default () => 1;\n" } } });
  await consent(who);
  expect(await start("s1")).toBe(1);
});

test("an observer that runs once is spent by its later run", async () => {
  const who = await watched({ ...OBSERVER, once: true });
  const first = await sent(who);
  await first.later();
  const next = await sent(who);
  await next.later();
  expect([first.ran.length, next.ran.length]).toEqual([1, 0]);
});
