import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { dispatch } from "./dispatch.ts";
import { guarded } from "./embed/test-embedder.ts";
import { readJournal } from "./journal/reading.ts";
import { running } from "./test-processes.ts";
import { bash, sweepScratch } from "./test-project.ts";
import { WarmParts } from "./warm-parts.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

test("what nobody waits for is ended with the process that it was left to, however long it may take", async () => {
  const word = `5${process.pid}`;
  const sleeps = {
    type: "command",
    command: `trap "" TERM; cat >/dev/null; sleep ${word}; sleep ${word}`,
    timeout: 600,
  };
  const who = await guarded(
    { ...sleeps, event: "PostToolUse", async: true, may: [], failMode: "open" },
    { ...sleeps, event: "Notification", may: [], failMode: "open" },
    { event: "PostToolUse", async: true, may: [], failMode: "open", body: "" },
  );
  const parts = new WarmParts(who.home, process.execPath);
  const send = (event: "PostToolUse" | "Notification") => {
    const payload = { ...bash(who.root, "ls"), hook_event_name: event, tool_response: "", message: "x" };
    return dispatch({ payload, host: "claude-code", canAsk: false, ...parts.afterwards }, parts.engine({ env: {} }));
  };
  await send("PostToolUse");
  await send("Notification");
  while (running(`/bin/sh`).filter((line) => line.includes(word)).length < 2) await Bun.sleep(20);
  await parts.close();
  expect(running(`sleep ${word}`)).toEqual([]);
  const ends = readJournal(who.home, who.project.id, { limit: 100 }).filter(({ code }) => code !== undefined);
  expect(ends.map(({ event, code }) => `${event} ${code}`).sort()).toEqual([
    "Notification E_CHAIN_CLOSED",
    "PostToolUse E_CHAIN_CLOSED",
    "PostToolUse E_CHAIN_CLOSED",
  ]);
});
