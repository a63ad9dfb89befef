import { afterEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Payload } from "@hookpkg/spec";
import { dispatchTry } from "../dispatch.ts";
import { writeConfig } from "../person/config.ts";
import type { Request } from "../request.ts";
import { bash, consent, type Person, person, propose, send, sweepScratch, temporary } from "../test-project.ts";
import { readRecordings } from "./recordings.ts";

afterEach(sweepScratch);

const DAY = 24 * 60 * 60 * 1000;
const GITHUB = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
const folder = (who: Person) => join(who.home.state, "recordings", who.project.id);
const recorded = (who: Person) => readRecordings(who.home, who.project.id, who.outside.at);
const commands = (who: Person) => recorded(who).map(({ payload }) => payload?.tool_input?.command);

async function guarded(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: [{ may: ["cancel", "patch", "ask"] }] } });
  await consent(who);
  return who;
}

/** One event; what is left for later is done when `done` is called. */
async function left(who: Person, request: Partial<Request> & { command?: string } = {}, answer?: Answer) {
  const works: (() => Promise<void>)[] = [];
  const after = (work: () => Promise<void>) => void works.push(work);
  const sent = await send(who, { after, ...request }, answer && (() => answer));
  return { ...sent, done: async () => void (await Promise.all(works.map((work) => work()))) };
}

async function keep(who: Person, request: Partial<Request> & { command?: string } = {}, answer?: Answer) {
  await (await left(who, request, answer)).done();
}

test("a tool call as it came and what was decided, written when the decision is out, for its owner alone", async () => {
  const who = await guarded();
  const patch: Answer = { answer: "patch", fields: { tool_input: { command: "pwd" } } };
  const { done } = await left(who, { command: "ls" }, patch);
  expect(existsSync(folder(who))).toBe(false);
  await done();
  expect(recorded(who)).toEqual([
    {
      ...{
        at: "2030-01-01T00:00:00.000Z",
        host: "claude-code",
        subjects: expect.arrayContaining(["Bash"]),
        tool: "Bash",
      },
      ...{ bytes: expect.any(Number), payload: bash(who.root, "ls") },
      decision: {
        ...{ v: 1, decision: "continue", patch: { tool_input: { command: "pwd" } }, person: [] },
        handlers: [
          expect.objectContaining({
            ...{ handler: "@acme/no-rm#guard", identity: expect.stringMatching(/^hk1:/) },
            ...{ outcome: "answered", answer: "patch" },
          }),
        ],
      },
    },
  ]);
  const [name = ""] = readdirSync(folder(who));
  expect([folder(who), join(folder(who), name)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
    "700",
    "600",
  ]);
});

test("who begins at once what is left to it has the decision first", async () => {
  const who = await guarded();
  const works: Promise<void>[] = [];
  await send(who, { after: (work) => void works.push(work()) });
  expect(existsSync(folder(who))).toBe(false);
  await Promise.all(works);
  expect(recorded(who)).toHaveLength(1);
});

test("tool calls are kept, whoever reacts to them; nothing else is, and nothing outside of projects", async () => {
  const who = await person();
  await keep(who, { command: "nobody minds" });
  const base = { session_id: "s1", transcript_path: null, cwd: who.root };
  const events: Payload[] = [
    { ...base, hook_event_name: "SessionStart", source: "startup" },
    { ...base, hook_event_name: "UserPromptSubmit", prompt: "hi" },
    { ...base, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: {}, tool_response: "" },
    { ...base, hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} },
  ];
  for (const payload of events) await keep(who, { payload });
  await keep(who, { payload: bash(temporary(), "elsewhere", { session_id: "s2" }) });
  expect(commands(who)).toEqual(["nobody minds"]);
  expect(readdirSync(join(who.home.state, "recordings"))).toEqual([who.project.id]);
});

test("an event that is only tried is not kept", async () => {
  const who = await guarded();
  const run = () => async () => ({ outcome: "answered" as const, answer: { answer: "continue" as const }, ms: 1 });
  const request = { payload: bash(who.root, "ls"), host: "claude-code", canAsk: true };
  await dispatchTry(request, { home: who.home, outside: who.outside, secrets: [], run });
  expect(recorded(who)).toEqual([]);
});

test("the same call told twice is kept once", async () => {
  const who = await guarded();
  for (let n = 0; n < 2; n++) await keep(who, { payload: bash(who.root, "ls", { tool_use_id: "t1" }) });
  expect(recorded(who)).toHaveLength(1);
});

test("the 201st takes the place of the first", async () => {
  const who = await person();
  for (let n = 0; n < 203; n++) {
    who.outside.at += 1000;
    await keep(who, { command: `call ${n}` });
  }
  expect(readdirSync(folder(who))).toHaveLength(200);
  expect(commands(who)).toEqual(Array.from({ length: 200 }, (_, n) => `call ${n + 3}`));
}, 60_000);

test("several writers at once lose nothing and leave nothing half", async () => {
  const who = await guarded();
  await Promise.all(Array.from({ length: 40 }, (_, n) => keep(who, { command: `call ${n}` })));
  expect(commands(who).sort()).toEqual(Array.from({ length: 40 }, (_, n) => `call ${n}`).sort());
  expect(readdirSync(folder(who)).every((name) => name.endsWith(".json"))).toBe(true);
});

test("after seven days it is not read, and gone at the next call or start of a session anywhere", async () => {
  const who = await person();
  await keep(who, { command: "old" });
  who.outside.at += 4 * DAY;
  await keep(who, { command: "young" });
  who.outside.at += 3 * DAY + 1;
  expect(commands(who)).toEqual(["young"]);
  expect(readdirSync(folder(who))).toHaveLength(2);
  const start = { hook_event_name: "SessionStart", session_id: "s9", transcript_path: null, cwd: temporary() } as const;
  await keep(who, { payload: { ...start, source: "startup" } });
  expect(readdirSync(folder(who))).toHaveLength(1);
  who.outside.at -= 900 * DAY; // the clock was wrong
  await keep(who, { command: "now" });
  expect(commands(who)).toEqual(["now"]);
  expect(readdirSync(folder(who))).toHaveLength(1);
});

test("switched off, nothing is written and what there is goes", async () => {
  const who = await guarded();
  await keep(who, { command: "before" });
  writeConfig(who.home, { v: 1, options: {}, record: false });
  const { done, decision } = await left(who, { command: "after" }, { answer: "cancel", reason: "no" });
  await done();
  expect(decision.decision).toBe("cancel");
  expect(existsSync(join(who.home.state, "recordings"))).toBe(false);
  writeConfig(who.home, { v: 1, options: {}, record: true });
  await keep(who, { command: "again" });
  expect(commands(who)).toEqual(["again"]);
});

test("settings that cannot be read: nothing is kept", async () => {
  const who = await person();
  writeConfig(who.home, { v: 1, options: {} });
  writeFileSync(join(who.home.config, "config.json"), "{");
  await keep(who);
  expect(existsSync(folder(who))).toBe(false);
});

test("a call of more than 256 KiB leaves its size, and so does a patch", async () => {
  const who = await guarded();
  const command = "x".repeat(300 * 1024);
  await keep(who, { command }, { answer: "patch", fields: { tool_input: { command: "short" } } });
  who.outside.at += 1;
  await keep(who, { command: "ls" }, { answer: "patch", fields: { tool_input: { command } } });
  const [first, second] = recorded(who);
  expect(first).toMatchObject({
    tool: "Bash",
    payload: null,
    decision: { patch: { tool_input: { command: "short" } } },
  });
  expect(first?.bytes).toBeGreaterThan(300 * 1024);
  expect(second?.patchBytes).toBeGreaterThan(300 * 1024);
  expect(second?.decision.patch).toBeUndefined();
  for (const name of readdirSync(folder(who))) expect(statSync(join(folder(who), name)).size).toBeLessThan(4096);
});

test("no secret is kept: in values and names, in lists, in what handlers said, in a patch", async () => {
  const who = await guarded();
  const tool_input = {
    ...{ command: `curl -H 'Authorization: Bearer ${"q".repeat(30)}'`, [GITHUB]: "name", [`${GITHUB}2`]: "other" },
    deep: [{ list: [`x ${GITHUB} y`] }],
    env: { API_TOKEN: "short", PATH: "/bin" },
    url: "postgres://me:hunter2@db/x",
    ["__proto__"]: { polluted: true },
  };
  const payload = bash(who.root, "", { tool_input, new_field: { of: GITHUB } });
  const patch = { tool_input: { ...tool_input, command: GITHUB } };
  await keep(who, { payload }, { answer: "ask", reason: `because of ${GITHUB}`, fields: patch });
  const [name = ""] = readdirSync(folder(who));
  const text = readFileSync(join(folder(who), name), "utf8");
  for (const secret of [GITHUB, "qqqq", "hunter2", "short"]) expect(text).not.toContain(secret);
  const [one] = recorded(who);
  expect(one?.payload?.tool_input).toMatchObject({
    ...{ "«redacted:github»": "name", "«redacted:github» 2": "other", deep: [{ list: ["x «redacted:github» y"] }] },
    env: { API_TOKEN: "«redacted:secret»", PATH: "/bin" },
  });
  expect(one?.decision.decision).toBe("ask");
});

test("where it cannot be written the decision is what it was; what cannot be read is left out", async () => {
  const who = await guarded();
  await keep(who, { command: "good" });
  writeFileSync(join(folder(who), "20300101T000000000Z-00000000.json"), "{");
  symlinkSync("/etc/passwd", join(folder(who), "20300101T000000000Z-00000001.json"));
  expect(commands(who)).toEqual(["good"]);
  const other = await guarded();
  symlinkSync(temporary(), join(other.home.state, "recordings"));
  const { decision, done } = await left(other, {}, { answer: "cancel", reason: "no" });
  await done();
  expect(decision.decision).toBe("cancel");
  expect(recorded(other)).toEqual([]);
});
