import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Speech } from "../model/test-server.ts";
import { CONTINUE, call, failed, PROVIDERS, server, turn } from "./test-model.ts";

afterAll(() => server.stop());
beforeEach(() => {
  server.got.length = 0;
});

describe.each([...PROVIDERS])("an agent, by %s", (provider) => {
  test.each<[string, Speech, object]>([
    ["lets it happen", { calls: [call("hook_continue", {})] }, CONTINUE],
    ["stops it", { calls: [call("hook_cancel", { reason: "no" })] }, { answer: { answer: "cancel", reason: "no" } }],
    [
      "rewrites it",
      { calls: [call("hook_patch", { tool_input: { command: "ls" } })] },
      { answer: { answer: "patch", fields: { tool_input: { command: "ls" } } } },
    ],
    ["thinks aloud", { text: "Hm. Stop it!", calls: [call("hook_continue", {})] }, CONTINUE],
    ["calls nothing", { text: "It is fine." }, failed("it called nothing: It is fine.")],
    ["says nothing", {}, failed("it called nothing")],
    ["writes a prompt's answer", { text: '{"ok": true}' }, failed("it called nothing")],
    ["calls twice", { calls: [call("hook_continue", {}), call("hook_cancel", { reason: "no" })] }, failed("2 calls")],
    ["calls the same twice", { calls: [call("hook_continue", {}), call("hook_continue", {})] }, failed("2 calls")],
    ["calls something else", { calls: [call("Bash", { command: "id" })] }, failed("it called Bash")],
    ["gives more than it can", { calls: [call("hook_continue", { allow: true })] }, failed("hook_continue")],
    ["gives no reason", { calls: [call("hook_cancel", {})] }, failed("hook_cancel")],
    ["gives an empty one", { calls: [call("hook_cancel", { reason: " " })] }, failed("hook_cancel")],
    ["is cut in the midst of it", { calls: [call("hook_continue", {})], isCut: true }, failed("cut after 4096 tokens")],
    ["gives a list", { calls: [call("hook_patch", [])] }, failed()],
  ])("that %s", async (_, speech, want) => {
    server.says(speech);
    expect(await turn(provider)).toMatchObject(want);
  });

  test("has exactly the tools of what it may say", async () => {
    server.says({ calls: [call("hook_continue", {})] });
    await turn(provider);
    await turn(provider, { may: ["cancel"] });
    await turn(provider, { may: ["patch"] });
    await turn(provider, {}, { call: { recheck: true } });
    expect(server.got.map(({ tools }) => tools.join(" "))).toEqual([
      "hook_continue hook_cancel hook_patch",
      "hook_continue hook_cancel",
      "hook_continue hook_patch",
      "hook_continue hook_cancel",
    ]);
  });

  test("that calls what it was not given has failed", async () => {
    server.says({ calls: [call("hook_patch", { tool_input: { command: "ls" } })] });
    expect(await turn(provider, { may: ["cancel"] })).toMatchObject(failed("it called hook_patch"));
    expect(await turn(provider, {}, { call: { recheck: true } })).toMatchObject(failed("it called hook_patch"));
    server.says({ calls: [call("hook_cancel", { reason: "no" })] });
    expect(await turn(provider, { may: ["patch"] })).toMatchObject(failed("it called hook_cancel"));
  });
});

test("what is judged is what will be done, also when a client's call changes later; what is no JSON is no call", async () => {
  let looks = 0;
  const shifty = {
    get command() {
      return looks++ === 0 ? "ls" : "rm -rf /";
    },
  };
  const outcome = await turn(async () => ({ text: "", calls: [call("hook_patch", { tool_input: shifty })] }));
  expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ answer: { fields: { tool_input: { command: "ls" } } } });
  expect(looks).toBe(1);
  const round: Record<string, unknown> = {};
  round.tool_input = round;
  for (const input of [round, { tool_input: { command: "ls", n: 1n } }, () => ({})])
    expect(await turn(async () => ({ text: "", calls: [call("hook_patch", input)] }))).toMatchObject({
      ...{ outcome: "failed", why: "E_MODEL_CLIENT" },
    });
});

test("arguments that are no JSON are no arguments", async () => {
  server.says({ calls: [call("hook_cancel", '{"reason": "no"')] });
  expect(await turn("openai-compatible")).toMatchObject(failed("hook_cancel"));
});
