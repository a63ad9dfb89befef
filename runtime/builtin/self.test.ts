import { afterEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "@hookpkg/spec";
import { safeMode } from "../gate/way-out.ts";
import { readJournal } from "../journal/reading.ts";
import { bash, consent, note, person, propose, send, sweepScratch } from "../test-project.ts";
import { SELF_NAME } from "./self.ts";

afterEach(sweepScratch);

const OWN = "hookpkg disable @acme/no-rm#guard";

test("it asks in a project without any handler, and is in the journal as one", async () => {
  const who = await person();
  const { decision } = await send(who, { payload: bash(who.root, OWN) });
  expect(decision).toMatchObject({
    decision: "ask",
    handlers: [{ handler: SELF_NAME, state: "managed", answer: "ask" }],
  });
  expect(readJournal(who.home, who.project.id, { limit: 5 })).toMatchObject([
    { handler: SELF_NAME, outcome: "answered", answer: "ask", told: "ask" },
  ]);
});

test("where nobody can be asked, the call is refused, and the model hears of no way out", async () => {
  const who = await person();
  const { decision } = await send(who, { payload: bash(who.root, OWN), canAsk: false });
  expect(decision.decision).toBe("cancel");
  expect(decision.reason).not.toMatch(/terminal|safe-mode/);
});

test("what does not concern it leaves no line and no report", async () => {
  const who = await person();
  const { decision } = await send(who, { payload: bash(who.root, "git status") });
  expect(decision).toMatchObject({ decision: "continue", handlers: [] });
  expect(readJournal(who.home, who.project.id, { limit: 5 })).toEqual([]);
});

test("an allow of a handler does not answer its question, a cancel does", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: [{ may: ["allow", "cancel"] }] } });
  await consent(who);
  const said = async (answer: Answer) =>
    (await send(who, { payload: bash(who.root, OWN) }, () => answer)).decision.decision;
  expect(await said({ answer: "allow", reason: "fine" })).toBe("ask");
  expect(
    (await send(who, { payload: bash(who.root, `${OWN} `) }, () => ({ answer: "cancel", reason: "no" }))).decision
      .decision,
  ).toBe("cancel");
});

test("it judges what a patch makes of the call", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: [{ may: ["patch", "cancel"] }] } });
  await consent(who);
  const patch: Answer = { answer: "patch", fields: { tool_input: { command: OWN } } };
  const { decision } = await send(who, { payload: bash(who.root, "ls") }, () => patch);
  expect(decision.decision).toBe("ask");
});

test("a link on the disk leads to what it protects", async () => {
  const who = await person();
  mkdirSync(who.home.state, { recursive: true });
  symlinkSync(who.home.state, join(who.root, "notes"));
  const { decision } = await send(who, { payload: bash(who.root, "echo x > notes/approvals.json") });
  expect(decision.decision).toBe("ask");
});

test("safe mode does not switch it off", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  await safeMode(who.home, who.project, { signer: who.key, outside: who.outside, note });
  expect((await send(who, { payload: bash(who.root, OWN) })).decision.decision).toBe("ask");
});
