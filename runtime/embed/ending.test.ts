import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { REAL_OUTSIDE } from "../outside.ts";
import { liveSessions } from "../person/sessions.ts";
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

test("a closed chain leaves no session live, and none of another's is ended; no handler hears of it", async () => {
  const who = await guarded({ event: "SessionEnd", failMode: "open", may: undefined, body: "" }, { body: "" });
  const live = () => liveSessions(who.home, who.project.id, REAL_OUTSIDE).map(({ session }) => session);
  const heard: string[] = [];
  const chain = opened(who, { host: "acme-agent", onRun: ({ event }) => void heard.push(event) });
  const other = opened(who, { host: "acme-agent" });
  await chain.dispatch("PreToolUse", bash("ls"));
  await chain.dispatch("PreToolUse", { ...bash("ls"), session_id: "named" });
  await other.dispatch("PreToolUse", bash("ls"));
  expect(live().sort()).toEqual([chain.session, other.session, "named"].sort());
  await chain.close();
  expect(live()).toEqual([other.session]);
  expect(heard).not.toContain("SessionEnd");
  await other.close();
  expect(live()).toEqual([]);
});

test("what ends soon ends as it would have when the chain is closed", async () => {
  const who = await guarded({ body: `await Bun.sleep(200); return { answer: "cancel", reason: "judged" };` });
  const begun = Promise.withResolvers<void>();
  const chain = opened(who, { onRun: () => begun.resolve() });
  const deciding = chain.dispatch("PreToolUse", bash("ls"));
  await begun.promise;
  await chain.close();
  expect(await deciding).toMatchObject({ decision: "cancel", reason: "file:./guard#g0: judged" });
});
