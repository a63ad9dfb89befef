import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decision, JournalLine, Payload } from "@hookpkg/spec";
import { dispatch } from "../dispatch.ts";
import { type EngineOptions, openEngine } from "../engine.ts";
import { approve } from "../gate/approve.ts";
import { trustView } from "../gate/trust-view.ts";
import { readJournal } from "../journal/reading.ts";
import type { ModelClient } from "../model/client.ts";
import { USER } from "../person/projects.ts";
import type { Request } from "../request.ts";
import { bash, consent, note, type Person, person, propose, sweepScratch, temporary, write } from "../test-project.ts";
import { keepTriggered, MAX_TRIGGERED, MAX_TRIGGERED_CHARS, takeTriggered } from "./triggered.ts";

afterEach(sweepScratch);
setDefaultTimeout(60_000);

const DAY_MS = 24 * 60 * 60 * 1000;
const HOURS_MS = 60 * 60 * 1000;
const SPENT = {
  ...{ id: "spent", event: "spend.day", type: "prompt", prompt: "Where did it go? $ARGUMENTS" },
  ...{ module: undefined, failMode: "open", may: undefined },
};

const OWN_TRIGGER = { "spend.day": [{ hooks: [{ id: "spent", type: "prompt", prompt: "Where did it go?" }] }] };

/** A person with one approved trigger and guard. */
async function approved(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/money": { handlers: [SPENT, { id: "other" }] } });
  await consent(who);
  return who;
}

type Options = Pick<EngineOptions, "model" | "onTrigger" | "env">;

/** One event, with all that is done after it. */
async function send(
  who: Person,
  event: Partial<Payload>,
  { request = {}, ...options }: Partial<Options> & { request?: Partial<Request> } = {},
): Promise<Decision> {
  const engine = openEngine({
    ...{ home: who.home, env: {}, worker: process.execPath, outside: who.outside },
    ...options,
  });
  const left: (() => Promise<void>)[] = [];
  const payload = { ...bash(who.root, ""), ...event };
  const asked = {
    payload,
    host: "claude-code",
    canAsk: true,
    after: (work: () => Promise<void>) => void left.push(work),
  };
  const decision = await dispatch({ ...asked, ...request }, engine);
  for (const work of left) await work();
  return decision;
}

const spend = (who: Person, options: Parameters<typeof send>[2], usd = 5) =>
  send(who, { hook_event_name: "spend.day", payload: { usd } }, options);
const prompt = (who: Person, request: Partial<Request> = {}) =>
  send(who, { hook_event_name: "UserPromptSubmit", prompt: "go on" }, { request });
const says =
  (text: string): ModelClient =>
  async () => ({ text, calls: [] });
const lines = (who: Person) => readJournal(who.home, who.project.id, { limit: 100 });
const last = (who: Person): Partial<JournalLine> => lines(who).at(-1) ?? {};
const DEAR = "hook @acme/money#spent:\n```\nthat was dear\n```";

test("a trigger's prompt goes to the person's model, without tools, and its text is context at the next prompt, once", async () => {
  const who = await approved();
  const asked: Parameters<ModelClient>[0][] = [];
  const model: ModelClient = async (request) => {
    asked.push(request);
    return { text: " that was \u202edear \n", calls: [] };
  };
  const told = await spend(who, { model });
  expect([told.decision, told.context]).toEqual(["continue", undefined]);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.prompt).toMatch(/Where did it go\?[\s\S]*"usd":5/);
  expect(asked[0]?.tools).toBeUndefined();
  expect(last(who)).toMatchObject({ handler: "@acme/money#spent", outcome: "answered", why: "its turn was begun" });

  expect((await prompt(who)).context).toBe(DEAR);
  expect(last(who)).toMatchObject({
    ...{ event: "UserPromptSubmit", handler: "@acme/money#spent", answer: "context" },
    why: expect.stringMatching(/^what its turn said of spend\.day at 2030/),
  });
  expect((await prompt(who)).context).toBeUndefined();
  expect(existsSync(join(who.home.state, "triggered", `${who.project.id}.json`))).toBe(false);
});

test("a session's start is told it, too; with what handlers say there, and after it", async () => {
  const who = await person();
  const greets = { id: "greets", event: "SessionStart", failMode: "open", may: ["context"] };
  const files = { "guard.ts": `export default () => ({ answer: "context", context: "hello" });\n` };
  await propose(who, { "@acme/money": { handlers: [SPENT, greets], files } });
  await consent(who);
  await spend(who, { model: says("that was dear") });
  const start = await send(who, { hook_event_name: "SessionStart", source: "startup", session_id: "s2" });
  expect(start.context).toBe(`hook @acme/money#greets:\n\`\`\`\nhello\n\`\`\`\n\n${DEAR}`);
});

test("nothing is taken where it would not arrive: a host without a place for it, another event, a refused prompt, too little room", async () => {
  const who = await person();
  const closes = { id: "closes", event: "UserPromptSubmit", may: ["cancel"] };
  const files = {
    "guard.ts": `export default (e) => e.prompt === "bad" ? { answer: "cancel", reason: "no" } : undefined;\n`,
  };
  await propose(who, { "@acme/money": { handlers: [SPENT, closes], files } });
  await consent(who);
  await spend(who, { model: says("that was dear") });
  expect((await prompt(who, { takesContext: false })).context).toBeUndefined();
  expect((await send(who, { tool_input: { command: "ls" } })).context).toBeUndefined();
  expect(await send(who, { hook_event_name: "UserPromptSubmit", prompt: "bad" })).not.toHaveProperty("context");
  expect((await prompt(who, { takes: { max: 20, unit: "bytes" } })).context).toBeUndefined();
  expect((await prompt(who)).context).toBe(DEAR);
});

test("who is no longer approved says nothing", async () => {
  const who = await approved();
  await spend(who, { model: says("that was dear") });
  await propose(who, { "@acme/money": { handlers: [{ ...SPENT, prompt: "Another question" }, { id: "other" }] } });
  await consent(who);
  expect((await prompt(who)).context).toBeUndefined();
  await spend(who, { model: says("once more") });
  expect((await prompt(who)).context).toContain("once more");
});

test("outside every project the text of one folder is told there and in its session, and nowhere else", async () => {
  const who = await person();
  write(join(who.home.config, "hooks"), "hooks.json", JSON.stringify({ hooks: OWN_TRIGGER }));
  const { handlers } = await trustView(who.home, USER, who.outside);
  const wanted = handlers.flatMap(({ proposed }) =>
    proposed?.readable
      ? [
          {
            handler: proposed.name,
            identity: proposed.identity,
            decided: "approved" as const,
            options: proposed.options.digest,
          },
        ]
      : [],
  );
  await approve(who.home, USER, wanted, { signer: who.key, note, outside: who.outside });
  const [one, two] = [temporary(), temporary()];
  const spent = (cwd: string, session_id: string) =>
    send(who, { hook_event_name: "spend.day", payload: {}, cwd, session_id }, { model: says(`of ${session_id}`) });
  const heard = async (cwd: string, session_id: string) =>
    (await send(who, { hook_event_name: "UserPromptSubmit", prompt: "go", cwd, session_id })).context;
  await spent(one, "s1");
  expect(await heard(two, "s2")).toBeUndefined();
  expect(await heard(one, "s3")).toContain("of s1");
  await spent(one, "s1");
  expect(await heard(two, "s1")).toContain("of s1");
  expect(await heard(one, "s1")).toBeUndefined();
});

test("a model that says nothing, none, and one that fails hold nothing; the journal says which it was", async () => {
  const who = await approved();
  await spend(who, { model: says(" \n") });
  expect(last(who)).toMatchObject({ outcome: "answered" });
  await spend(who, {});
  expect(last(who)).toMatchObject({ outcome: "skipped", code: "E_MODEL_NONE" });
  const fails: ModelClient = async () => {
    throw new Error("no");
  };
  await spend(who, { model: fails });
  expect(last(who)).toMatchObject({ outcome: "failed", code: "E_MODEL_CLIENT" });
  expect((await prompt(who)).context).toBeUndefined();
});

test("secrets of the environment are not in what is kept", async () => {
  const who = await approved();
  await spend(who, { model: says("it was s3cret-s3cret"), env: { API_TOKEN: "s3cret-s3cret" } });
  const kept = readFileSync(join(who.home.state, "triggered", `${who.project.id}.json`), "utf8");
  expect(kept).toContain("redacted");
  expect(kept).not.toContain("s3cret");
});

test("an embedder begins turns itself: it is told who, what and where, and what it throws is an outcome", async () => {
  const who = await approved();
  const begun: unknown[] = [];
  await spend(who, {
    onTrigger: async ({ prompt: text, payload, ...about }) => void begun.push([about, payload.payload, text]),
  });
  expect(begun).toEqual([
    [
      { handler: "@acme/money#spent", event: "spend.day", model: "small", host: "claude-code", project: who.root },
      { usd: 5 },
      expect.stringContaining("Where did it go?"),
    ],
  ]);
  expect((await prompt(who)).context).toBeUndefined();
  const fails = async () => {
    throw new Error("no turn now");
  };
  await spend(who, { onTrigger: fails });
  expect(last(who)).toMatchObject({
    ...{ outcome: "failed", code: "E_TRIGGER_FAILED" },
    why: expect.stringContaining("no turn now"),
  });
});

test("nobody waits for a turn: the notice is answered while it is under way", async () => {
  const who = await approved();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const left: Promise<void>[] = [];
  const onTrigger = async () => {
    begun.resolve();
    await gate.promise;
  };
  const after = (work: () => Promise<void>) => void left.push(work());
  const decision = await spend(who, { onTrigger, request: { after } });
  expect(decision.decision).toBe("continue");
  await begun.promise;
  gate.resolve();
  await Promise.all(left);
  expect(last(who)).toMatchObject({ outcome: "answered", why: "its turn was begun" });
});

test("at a session's end a turn has no more time than anything else there", async () => {
  const who = await person();
  await propose(who, { "@acme/money": { handlers: [{ ...SPENT, event: "SessionEnd", timeout: 20 }] } });
  await consent(who);
  const onTrigger = () => Promise.withResolvers<void>().promise; // it never begins, and looks at no signal
  await send(who, { hook_event_name: "SessionEnd", reason: "exit" }, { onTrigger, request: { stays: true } });
  expect(last(who)).toMatchObject({ outcome: "late", code: "E_RUN_LATE" });
});

test("the newest texts of a day are kept, each cut, each project's apart", async () => {
  const { home } = await person();
  const entry = (n: number, at: number, text = `${n}`) => ({
    ...{ handler: "@a/b#c", identity: `hk1:${"a".repeat(43)}` as const, event: "spend.day" as const },
    ...{ at: new Date(at).toISOString(), text },
  });
  const all = { nowMs: 3 * DAY_MS, choose: () => "take" as const };
  for (let n = 0; n < MAX_TRIGGERED + 5; n++) await keepTriggered(home, "p1", entry(n, 3 * DAY_MS));
  await keepTriggered(home, "p2", entry(0, 3 * DAY_MS - 25 * HOURS_MS));
  await keepTriggered(home, "p2", entry(1, 3 * DAY_MS - 23 * HOURS_MS, "\u0007x".repeat(MAX_TRIGGERED_CHARS)));
  const first = await takeTriggered(home, "p1", all);
  expect(first.map(({ text }) => text)).toEqual(Array.from({ length: MAX_TRIGGERED }, (_, n) => `${n + 5}`));
  const second = await takeTriggered(home, "p2", all);
  expect(second.map(({ text }) => text.length)).toEqual([MAX_TRIGGERED_CHARS]);
  expect(second[0]?.text).toMatch(/^x+$/);
  expect(await takeTriggered(home, "p2", all)).toEqual([]);
});
