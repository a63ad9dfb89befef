import { afterEach, expect, test } from "bun:test";
import type { Answer, Payload } from "@hookpkg/spec";
import fc from "fast-check";
import { readJournal } from "../journal/reading.ts";
import { bash, consent, type HandlerText, type Person, person, propose, send, sweepScratch } from "../test-project.ts";
import { countStop, MAX_KEPT_IN_A_ROW, MAX_KEPT_IN_A_TURN } from "./stopping.ts";

afterEach(sweepScratch);

const goOn: Answer = { answer: "cancel", reason: "run the tests first" };

async function kept(...handlers: HandlerText[]): Promise<Person> {
  const who = await person();
  const all = handlers.length === 0 ? [{}] : handlers;
  await propose(who, { "@acme/tests": { handlers: all.map((each) => ({ event: "Stop", ...each })) } });
  await consent(who);
  return who;
}

const event = (who: Person, name: string, more: Partial<Payload> = {}) =>
  ({ ...bash(who.root, "ls", more), hook_event_name: name }) as Payload;
const stop = async (who: Person, more: Partial<Payload> = {}, answer: Parameters<typeof send>[2] = () => goOn) =>
  (await send(who, { payload: event(who, "Stop", more) }, answer)).decision;
const between = (who: Person, name: string, more: Partial<Payload> = {}) =>
  send(who, { payload: event(who, name, more) });

test("cancel goes on with the reason, in words that fit; after eight in a row the agent stops, forced", async () => {
  const who = await kept();
  for (let n = 0; n < MAX_KEPT_IN_A_ROW; n++) {
    const decision = await stop(who);
    expect(decision).toMatchObject({ decision: "cancel", reason: "@acme/tests#guard: run the tests first" });
    expect(decision.person[0]).toBe("hookpkg: the agent goes on for @acme/tests#guard: run the tests first");
  }
  const last = await stop(who);
  expect(last).toMatchObject({ decision: "continue", forced: true });
  expect(last.reason).toBeUndefined();
  expect(last.person.join()).toContain("stopped now, against @acme/tests#guard");
  const lines = readJournal(who.home, who.project.id, { limit: 20 });
  expect(lines.map(({ told, forced }) => [told, forced])).toEqual([
    ...Array.from({ length: MAX_KEPT_IN_A_ROW }, () => ["cancel", undefined]),
    ["continue", true],
  ]);
});

test("tool calls between end a row but not the turn's count: sixteen, then let go", async () => {
  const who = await kept();
  let blocks = 0;
  for (let n = 0; n < 50; n++) {
    const decision = await stop(who, { turn_id: "t1" });
    if (decision.forced) break;
    blocks++;
    await between(who, "PreToolUse");
  }
  expect(blocks).toBe(MAX_KEPT_IN_A_TURN);
  expect((await stop(who, { turn_id: "t1" })).forced).toBe(true);
  expect((await stop(who, { turn_id: "t2" })).decision).toBe("cancel");
});

test("where the host names no turn, a person's words begin one and empty words don't", async () => {
  const who = await kept();
  const keep = async (times: number) => {
    for (let n = 0; n < times; n++) expect((await stop(who)).decision).toBe("cancel");
  };
  await keep(MAX_KEPT_IN_A_ROW);
  await between(who, "UserPromptSubmit", { prompt: "  " });
  expect((await stop(who)).forced).toBe(true);
  await keep(MAX_KEPT_IN_A_ROW - 1);
  await between(who, "UserPromptSubmit", { prompt: "next" });
  await keep(MAX_KEPT_IN_A_ROW);
});

test("a prompt that only hands on why the agent goes on begins no turn", async () => {
  const who = await kept();
  const goesOn = async (more: Partial<Payload>) => {
    await between(who, "UserPromptSubmit", { prompt: "run the tests first" });
    return (await stop(who, more)).forced;
  };
  expect(await goesOn({ stop_hook_active: false })).toBeUndefined();
  for (let n = 1; n < MAX_KEPT_IN_A_ROW; n++) expect(await goesOn({ stop_hook_active: true })).toBeUndefined();
  expect(await goesOn({ stop_hook_active: true })).toBe(true);
  for (let n = 0; n < MAX_KEPT_IN_A_ROW; n++) await stop(who, { stop_hook_active: n > 0 });
  expect(await goesOn({ stop_hook_active: false })).toBeUndefined();
});

test("two agents of one session are counted apart, and so are sessions", async () => {
  const who = await kept({ event: "SubagentStop" });
  const ends = (more: Partial<Payload>) =>
    send(who, { payload: event(who, "SubagentStop", more) }, () => goOn).then(({ decision }) => decision.forced);
  for (let n = 0; n < MAX_KEPT_IN_A_ROW; n++) expect(await ends({ agent_id: "a" })).toBeUndefined();
  expect(await ends({ agent_id: "b" })).toBeUndefined();
  expect(await ends({ agent_id: "a", session_id: "s2" })).toBeUndefined();
  expect(await ends({ agent_id: "a" })).toBe(true);
});

test("an end for good wins over a wish to go on, whoever is first; two wishes are both told", async () => {
  const who = await kept({ id: "a" }, { id: "b" });
  const end: Answer = { answer: "end", reason: "enough" };
  for (const first of ["a", "b"]) {
    const decision = await stop(who, {}, ({ id }) => (id === first ? goOn : end));
    expect(decision).toMatchObject({ decision: "end", reason: expect.not.stringContaining("tests first") });
  }
  expect((await stop(who)).reason).toBe("@acme/tests#a: run the tests first\n@acme/tests#b: run the tests first");
});

test("a closed handler that fails keeps the agent going in words that say so, and not for ever", async () => {
  const who = await kept();
  const broken = () => {
    throw new Error("boom");
  };
  const first = await stop(who, {}, broken);
  expect(first.reason).toContain("could not judge whether the work is done (E_CHAIN_RUNNER), so it goes on");
  expect(first.person.join()).toContain("the agent goes on");
  for (let n = 1; n < MAX_KEPT_IN_A_ROW; n++) await stop(who, {}, broken);
  expect((await stop(who, {}, broken)).forced).toBe(true);
});

test("property: whatever happens, no turn has more than sixteen blocks and no row more than eight", () => {
  const step = fc.constantFrom("block", "stop", "tool");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      let stops: Parameters<typeof countStop>[0] = {};
      let [row, all] = [0, 0];
      for (const what of steps) {
        const name = what === "tool" ? "PreToolUse" : "Stop";
        const payload = {
          hook_event_name: name,
          session_id: "s",
          transcript_path: null,
          cwd: "/",
          turn_id: "t",
        } as const;
        const counted = countStop(stops, payload, what === "block");
        stops = counted.stops;
        const isBlocked = what === "block" && !counted.isForced;
        row = isBlocked ? row + 1 : 0;
        all += isBlocked ? 1 : 0;
        expect(row).toBeLessThanOrEqual(MAX_KEPT_IN_A_ROW);
      }
      expect(all).toBeLessThanOrEqual(MAX_KEPT_IN_A_TURN);
    }),
  );
});
