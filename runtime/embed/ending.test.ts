import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { running } from "../test-processes.ts";
import { sweepScratch } from "../test-project.ts";
import { bash, guarded, opened } from "./test-embedder.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

test.each(["module", "command"])(
  "a %s that hangs when the chain is closed has failed: closed refuses, open passes",
  async (type) => {
    const word = `4${process.pid}`;
    const body = "await new Promise(() => {});";
    const how =
      type === "module" ? { body, timeout: 300 } : { type, command: `cat >/dev/null; sleep ${word}`, timeout: 300 };
    const who = await guarded(
      { ...how, may: ["cancel"], failMode: "closed" },
      { ...how, event: "PostToolUse", may: ["cancel"], failMode: "open" },
    );
    const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let n = 0;
    const chain = opened(who, { onRun: ({ phase }) => void (phase === "started" && starts[n++]?.resolve()) });
    const guarding = chain.dispatch("PreToolUse", bash("ls"));
    const after = chain.dispatch("PostToolUse", { ...bash("ls"), tool_response: "a" });
    await Promise.all(starts.map(({ promise }) => promise));
    if (type === "command") while (running(`sleep ${word}`).length < 2) await Bun.sleep(20);
    await chain.close();
    const why = [{ outcome: "failed", why: "E_CHAIN_CLOSED" }];
    expect(await guarding).toMatchObject({ decision: "cancel", handlers: why });
    expect(await after).toMatchObject({ decision: "continue", handlers: why });
    expect(running(`sleep ${word}`)).toEqual([]);
  },
);

test("what ends soon ends as it would have when the chain is closed", async () => {
  const who = await guarded({ body: `await Bun.sleep(200); return { answer: "cancel", reason: "judged" };` });
  const begun = Promise.withResolvers<void>();
  const chain = opened(who, { onRun: () => begun.resolve() });
  const deciding = chain.dispatch("PreToolUse", bash("ls"));
  await begun.promise;
  await chain.close();
  expect(await deciding).toMatchObject({ decision: "cancel", reason: "file:./guard#g0: judged" });
});
