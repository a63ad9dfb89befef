import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { JournalLine } from "@hookpkg/spec";
import { sweepScratch } from "../test-project.ts";
import type { Ask, Question } from "./question.ts";
import { bash, guarded, opened } from "./test-embedder.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

const asking = () =>
  guarded(
    {
      may: ["ask", "patch", "cancel"],
      body: `return { answer: "ask", reason: "deploy now?", fields: { tool_input: { command: event.tool_input.command + " --dry-run" } } };`,
    },
    { may: ["cancel"], body: "" },
  );

test("a person's yes lets the action go on, as it was patched; anything else is a refusal that says why", async () => {
  const who = await asking();
  const questions: Question[] = [];
  const decided = async (answer: Ask | undefined, askTimeoutMs = 60_000) => {
    const ask: Ask = (question) => {
      questions.push(question);
      return answer?.(question) ?? false;
    };
    await using chain = opened(who, { askTimeoutMs, ...(answer === undefined ? {} : { ask }) });
    const { decision, reason, patch } = await chain.dispatch("PreToolUse", bash("deploy"));
    return { decision, reason, patch };
  };
  const dry = { tool_input: { command: "deploy --dry-run" } };
  expect(await decided(() => true)).toEqual({ decision: "continue", reason: undefined, patch: dry });
  expect(questions).toMatchObject([
    { event: "PreToolUse", reason: "file:./guard#g0: deploy now?", handlers: ["file:./guard#g0"], payload: dry },
  ]);
  const refused = (words: string) => ({
    decision: "cancel" as const,
    reason: `file:./guard#g0: deploy now?\n${words}`,
    patch: undefined,
  });
  expect(await decided(async () => false)).toEqual(refused("A person was asked and said no."));
  expect(await decided((() => "yes") as unknown as Ask)).toEqual(refused("A person was asked and said no."));
  const failed = refused("A person's approval was needed, and the question could not be put.");
  expect(await decided(() => Promise.reject(new Error("no terminal")))).toEqual(failed);
  const late = refused("A person's approval was needed, and nobody answered in time.");
  expect(await decided(() => new Promise(() => {}), 50)).toEqual(late);
  expect(await decided(undefined)).toEqual(refused("A person's approval was needed, and nobody can be asked here."));
});

test("the journal has what came of the question, and that the action went on patched", async () => {
  const who = await asking();
  const told: string[] = [];
  for (const yes of [true, false]) {
    const onJournal = (line: JournalLine) => void told.push(`${line.answer} → ${line.told} ${line.patched}`);
    await using chain = opened(who, { ask: () => yes, onJournal });
    await chain.dispatch("PreToolUse", bash("deploy"));
  }
  const of = (told: string) => [`ask → ${told}`, `continue → ${told}`];
  expect(told).toEqual([...of("continue true"), ...of("cancel undefined")]);
});

test("what whoever asks does to the question changes nothing of what was judged", async () => {
  const who = await asking();
  const ask: Ask = ({ payload }) => {
    Object.assign(Object(payload.tool_input), { command: "rm -rf /" });
    return true;
  };
  await using chain = opened(who, { ask });
  const { decision, patch } = await chain.dispatch("PreToolUse", bash("deploy"));
  expect([decision, patch]).toEqual(["continue", { tool_input: { command: "deploy --dry-run" } }]);
});

test("nothing begins on a chain that is being closed, and it is closed once", async () => {
  const who = await asking();
  const put = Promise.withResolvers<void>();
  const begun: Promise<unknown>[] = [];
  const closed: Promise<void>[] = [];
  const ask: Ask = ({ signal }) => {
    signal.addEventListener("abort", () => {
      begun.push(chain.dispatch("PreToolUse", bash("deploy")).catch((error: unknown) => error));
      closed.push(chain.close());
    });
    put.resolve();
    return new Promise(() => {});
  };
  const chain = opened(who, { ask });
  const deciding = chain.dispatch("PreToolUse", bash("deploy"));
  await put.promise;
  const closing = chain.close();
  await closing;
  expect(await Promise.all(begun)).toMatchObject([{ code: "E_CHAIN_CLOSED" }]);
  expect(closed[0]).toBe(closing);
  expect(await deciding).toMatchObject({ decision: "cancel" });
});

test("a question that is open when the chain is closed is a refusal", async () => {
  const who = await asking();
  const put = Promise.withResolvers<Question>();
  const chain = opened(who, {
    ask: (question) => {
      put.resolve(question);
      return new Promise(() => {});
    },
  });
  const deciding = chain.dispatch("PreToolUse", bash("deploy"));
  const { signal } = await put.promise;
  await chain.close();
  expect([(await deciding).decision, signal.aborted]).toEqual(["cancel", true]);
});
