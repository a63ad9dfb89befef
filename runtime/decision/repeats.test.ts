import { afterEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Answer, Payload } from "@hookpkg/spec";
import { disable } from "../gate/way-out.ts";
import { readJournal } from "../journal/reading.ts";
import { bash, consent, note, type Person, person, propose, send, sweepScratch } from "../test-project.ts";
import { REPEAT_MS } from "./repeats.ts";

afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
const cancel: Answer = { answer: "cancel", reason: "not here" };

async function guarded(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  return who;
}

const call = (who: Person, more: Partial<Payload> = {}) => ({
  payload: bash(who.root, "ls", { tool_use_id: "t1", ...more }),
});
/** How many handlers ran for the second telling of an event. */
async function second(who: Person, more: Parameters<typeof send>[1] = {}): Promise<number> {
  return (await send(who, { ...call(who), ...more }, () => cancel)).ran.length;
}

test("an event told twice gets the first decision again, and no handler runs; the journal says so", async () => {
  const who = await guarded();
  const first = await send(who, call(who), () => cancel);
  const again = await send(who, call(who), () => ({ answer: "continue" }));
  expect(again.ran).toEqual([]);
  expect(again.decision).toMatchObject({ decision: "cancel", reason: "@acme/no-rm#guard: not here" });
  expect(again.decision.handlers).toEqual(first.decision.handlers);
  const lines = readJournal(who.home, who.project.id, { limit: 10 });
  expect(lines.map(({ outcome, why, told }) => [outcome, why, told])).toEqual([
    ["answered", "not here", "cancel"],
    ["not-run", "the same event was answered a moment ago", "cancel"],
  ]);
});

test.each([false, true])(
  "told at the same time, one is judged and the other waits for it (in a process that stays: %p)",
  async (stays) => {
    const who = await guarded();
    const slow = () => Bun.sleep(30).then(() => cancel);
    const both = await Promise.all([1, 2].map(() => send(who, { ...call(who), stays }, slow)));
    expect(both.map(({ decision }) => decision.decision)).toEqual(["cancel", "cancel"]);
    expect(both.flatMap(({ ran }) => ran)).toHaveLength(1);
  },
);

test("another call, event, session, host or payload is another event; so is one without a call's name, and any of an embedder's", async () => {
  const who = await guarded();
  await second(who);
  for (const more of [{ tool_use_id: "t2" }, { session_id: "s2" }, { tool_input: { command: "pwd" } }])
    expect(await second(who, call(who, more))).toBe(1);
  expect(await second(who, { host: "codex" })).toBe(1);
  for (const unnamed of [{ tool_use_id: "" }, { session_id: "s3", tool_use_id: "" }]) {
    await second(who, call(who, unnamed));
    expect(await second(who, call(who, unnamed))).toBe(1);
  }
  await second(who, { host: "native" });
  expect(await second(who, { host: "native" })).toBe(1);
});

test.each([false, true])(
  "ten seconds later it is a new event, whichever way the clock goes (staying: %p)",
  async (stays) => {
    const who = await guarded();
    await second(who, { stays });
    who.outside.at += REPEAT_MS - 1;
    expect(await second(who, { stays })).toBe(0);
    who.outside.at += 1;
    expect(await second(who, { stays })).toBe(1);
    who.outside.at -= 2 * REPEAT_MS;
    expect(await second(who, { stays })).toBe(1);
  },
);

test.each([false, true])(
  "what was approved, switched off, proposed or lost in between counts at once (staying: %p)",
  async (stays) => {
    const changes: [(who: Person) => unknown, string | undefined][] = [
      [(who) => disable(who.home, who.project, [NAME], { signer: who.key, note, outside: who.outside }), undefined],
      [(who) => propose(who, { "@acme/no-rm": { files: { "guard.ts": "export default () => 1;\n" } } }), "answered"],
      [(who) => rmSync(who.home.store, { recursive: true }), "held"],
    ];
    for (const [change, outcome] of changes) {
      const who = await guarded();
      await second(who, { stays });
      await change(who);
      const again = await send(who, { ...call(who), stays }, () => ({ answer: "continue" }));
      expect<string | undefined>(again.decision.handlers[0]?.outcome).toBe(outcome);
      expect(again.decision.reason).not.toBe(`${NAME}: not here`);
    }
  },
);
