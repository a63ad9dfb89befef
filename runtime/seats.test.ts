import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { guarded, opened } from "./embed/test-embedder.ts";
import { MAX_AT_ONCE, MAX_WAITING } from "./seats.ts";
import { sweepScratch } from "./test-project.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

const QUESTION = { type: "prompt", may: [], failMode: "open" } as const;

test("so many runs of a handler are under way and so many wait; what hangs takes no place of another handler's", async () => {
  const who = await guarded(
    { ...QUESTION, event: "custom.hangs", prompt: "hangs $ARGUMENTS", timeout: 600 },
    { ...QUESTION, event: "custom.other", prompt: "other $ARGUMENTS" },
  );
  const gates: (() => void)[] = [];
  let [now, most] = [0, 0];
  const chain = opened(who, {
    onTrigger: async ({ event }) => {
      if (event !== "custom.hangs") return;
      most = Math.max(most, ++now);
      await new Promise<void>((open) => gates.push(open));
      now--;
    },
  });
  const outcome = async (name: "custom.hangs" | "custom.other") => {
    const [report] = (await chain.emit(name)).handlers;
    return `${report?.outcome} ${report?.why ?? ""}`.trim();
  };
  const all = Array.from({ length: MAX_AT_ONCE + MAX_WAITING + 1 }, () => outcome("custom.hangs"));
  expect(await Promise.race(all)).toBe("failed E_RUN_QUEUE"); // nothing else can have ended
  expect(await outcome("custom.other")).toBe("answered");
  for (let n = 0; n < MAX_AT_ONCE + MAX_WAITING; n++) {
    while (gates.length <= n) await Bun.sleep(1);
    gates[n]?.();
  }
  const ends = await Promise.all(all);
  expect(most).toBe(MAX_AT_ONCE);
  expect(ends.filter((end) => end === "answered")).toHaveLength(MAX_AT_ONCE + MAX_WAITING);
  await chain.close();
});

test("waiting is a run's own time, and who gave up takes no seat", async () => {
  const who = await guarded({ ...QUESTION, event: "custom.hangs", prompt: "hangs $ARGUMENTS", timeout: 1 });
  const chain = opened(who, { onTrigger: () => new Promise(() => {}) });
  const emitted = Array.from({ length: 2 * MAX_AT_ONCE }, () => chain.emit("custom.hangs"));
  const ends = (await Promise.all(emitted)).flatMap(({ handlers }) =>
    handlers.map(({ outcome, why }) => `${outcome} ${why}`),
  );
  expect(new Set(ends)).toEqual(new Set(["late E_RUN_LATE"]));
  expect((await chain.emit("custom.hangs")).handlers).toMatchObject([{ outcome: "late" }]);
  await chain.close();
});
