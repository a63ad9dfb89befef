import { afterEach, describe, expect, test } from "bun:test";
import { type Answer, EVENT_NAMES, type EventName, eventRow, type Payload } from "@hookpkg/spec";
import { readJournal } from "../journal/reading.ts";
import { bash, consent, type HandlerText, type Person, person, propose, send, sweepScratch } from "../test-project.ts";

afterEach(sweepScratch);

const NOTICES: readonly EventName[] = [
  ...EVENT_NAMES.filter((event) => eventRow(event).kind === "notice"),
  "custom.mine",
  "skill.used",
];
const STAGES: readonly EventName[] = [
  ...EVENT_NAMES.filter((event) => eventRow(event).kind === "stage"),
  "plan.change", // one that a host declares
];

async function watched(...handlers: HandlerText[]): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/watch": { handlers } });
  await consent(who);
  return who;
}

function payloadOf(who: Person, event: EventName): Payload {
  const common = { ...bash(who.root, "ls"), hook_event_name: event, prompt: "hello", tool_response: "done" };
  return eventRow(event).patchable.includes("payload") || event.startsWith("custom.")
    ? { ...common, payload: {} }
    : common;
}

/**
 * One event for a host, whose handlers do not end until the test says so. What is left for later begins at once, as in a daemon; the
 * decision is there before any handler has ended, or this never resolves.
 */
async function heldEvent(who: Person, event: EventName, says: Answer) {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const left: Promise<void>[] = [];
  const { decision, ran } = await send(
    who,
    { payload: payloadOf(who, event), after: (work) => void left.push(work()) },
    async () => {
      begun.resolve();
      await gate.promise;
      return says;
    },
  );
  await begun.promise; // it hears of it all the same
  const heard = ran.map(({ name, payload }) => [name, payload.hook_event_name]);
  gate.resolve();
  await Promise.all(left);
  return { decision, heard };
}

const outcomes = (who: Person) =>
  readJournal(who.home, who.project.id, { limit: 50 }).map(({ outcome, code, told }) => [outcome, code, told]);
/** What it then says is no answer, and the journal says so. */
const TOLD_LATER = [
  ["not-run", undefined, "continue"],
  ["failed", "E_NOT_DECLARED", "continue"],
];

describe("a notice is told, never waited for and never vetoed", () => {
  test.each(NOTICES)("%s", async (event) => {
    const who = await watched({ event, failMode: "open", may: [] });
    const { decision, heard } = await heldEvent(who, event, { answer: "cancel", reason: "no" });
    expect(heard).toEqual([["@acme/watch#guard", event]]);
    expect([decision.decision, decision.reason, decision.patch]).toEqual(["continue", undefined, undefined]);
    expect(decision.handlers[0]).not.toHaveProperty("outcome"); // it was not run when the host was told
    expect(outcomes(who)).toEqual(TOLD_LATER);
  });
});

describe("an observer is told of every stage, after the decision, and has no say in it", () => {
  test.each(STAGES)("%s", async (event) => {
    const who = await watched({ event, failMode: "open", may: [], async: true });
    const { decision, heard } = await heldEvent(who, event, { answer: "cancel", reason: "no" });
    expect(heard).toEqual([["@acme/watch#guard", event]]);
    expect([decision.decision, decision.context]).toEqual(["continue", undefined]);
    expect(outcomes(who)).toEqual(TOLD_LATER);
  });
});

test("a chain's guards are not waited for less because of an observer, and the observer sees what was decided", async () => {
  const who = await watched({ id: "guard" }, { id: "watch", async: true, failMode: "open", may: [] });
  const left: Promise<void>[] = [];
  const gate = Promise.withResolvers<void>();
  const { decision, ran } = await send(
    who,
    { after: (work) => void left.push(work()) },
    async ({ id }): Promise<Answer> => {
      if (id === "guard") return { answer: "cancel", reason: "no" };
      await gate.promise;
      return { answer: "continue" };
    },
  );
  expect([decision.decision, decision.reason]).toEqual(["cancel", "@acme/watch#guard: no"]);
  gate.resolve();
  await Promise.all(left);
  expect(ran.map(({ name }) => name)).toEqual(["@acme/watch#guard", "@acme/watch#watch"]);
});
