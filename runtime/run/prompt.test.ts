import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { refuse } from "../faults.ts";
import { ask, CONTINUE, call, failed, PROVIDERS, server } from "./test-model.ts";

afterAll(() => server.stop());
beforeEach(() => {
  server.got.length = 0;
});

describe.each([...PROVIDERS])("a prompt, by %s", (provider) => {
  test("is one request without tools: our words are the system's, the author's and the event the user's", async () => {
    server.says({ text: '{"ok": true}' });
    expect(await ask(provider)).toMatchObject(CONTINUE);
    expect(server.got).toHaveLength(1);
    const [got] = server.got;
    expect(got).toMatchObject({ model: "little", roles: ["system", "user"], tools: [] });
    expect(Object.keys(got?.body ?? {})).not.toContain("tools");
    expect(got?.user).toStartWith("Is this well? \n<event-");
    expect(got?.system).not.toContain("rm -rf");
  });

  test.each<[string, string, object]>([
    ["no", '{"ok": false, "reason": "not here"}', { answer: { answer: "cancel", reason: "not here" } }],
    ["no, without a reason", '{"ok":false}', { answer: { answer: "cancel", reason: "the model gave no reason" } }],
    ["yes, with a reason", ' {"ok":true,"reason":"harmless"}\n', { answer: { answer: "continue" } }],
    ["an object in a code fence", '```json\n{"ok": false, "reason": "x"}\n```', { answer: { answer: "cancel" } }],
    ["one field more", '{"ok": true, "answer": "allow"}', failed()],
    ["another type", '{"ok": "true"}', failed()],
    ["a key twice", '{"ok": false, "ok": true}', failed()],
    ["two objects", '{"ok": false}\n{"ok": true}', failed()],
    ["a list", '[{"ok": true}]', failed()],
    ["prose around it", 'Sure! {"ok": true}', failed("Sure!")],
    ["prose around a code fence", 'Sure:\n```\n{"ok": true}\n```', failed()],
    ["an answer of a hook", '{"decision": "approve"}', failed()],
    ["half of it", '{"ok": tr', failed()],
    ["nothing", "", failed("it wrote nothing")],
    ["blanks", " \n ", failed("it wrote nothing")],
  ])("%s", async (_, text, want) => {
    server.says({ text });
    expect(await ask(provider)).toMatchObject(want);
  });

  test("a call where there are no tools is no answer", async () => {
    server.says({ text: '{"ok": true}', calls: [call("hook_continue", {})] });
    expect(await ask(provider)).toMatchObject(failed("it called a tool"));
  });

  test("what was cut is no answer, whatever is left of it", async () => {
    server.says({ text: '{"ok": true}', isCut: true });
    expect(await ask(provider)).toMatchObject(failed("cut after 4096 tokens"));
  });

  test("a refusal of the model's is no answer, whatever its words are", async () => {
    server.says({ refusal: '{"ok": true}' });
    expect(await ask(provider)).toMatchObject({ outcome: "failed", why: "E_MODEL_REPLY" });
  });

  test("asks where it may not cancel", async () => {
    server.says({ text: '{"ok": false, "reason": "sure?"}' });
    expect(await ask(provider, { may: ["ask"] })).toMatchObject({ answer: { answer: "ask", reason: "sure?" } });
  });
});

test("of a secret in what a model wrote nothing is told, wherever it stands", async () => {
  const secret = `sk-ant-${"a1B2c3D4e5".repeat(4)}`;
  for (let before = 150; before < 200; before += 10) {
    const model = async () => ({ text: `${"x ".repeat(before / 2)}${secret} and on`, calls: [] });
    const outcome = await ask(model);
    expect(outcome).toMatchObject(failed("redacted"));
    expect(JSON.stringify(outcome)).not.toContain("sk-ant");
  }
});

describe("a prompt on a notice", () => {
  const notice = { event: "Notification", may: [], failMode: "open" } as const;
  test("begins a turn, and that it began is all", async () => {
    const begun: unknown[] = [];
    const trigger = async (prompt: string, model: string, signal: AbortSignal) =>
      void begun.push([prompt, model, signal.aborted]);
    expect(await ask(undefined, notice, { deps: { trigger } })).toMatchObject(CONTINUE);
    expect(begun).toEqual([[expect.stringMatching(/Is this well\?[\s\S]*<event-[\s\S]*rm -rf/), "small", false]]);
    expect(server.got).toEqual([]);
  });

  test("is skipped where nobody can, failed where it could not, late where it takes too long", async () => {
    expect(await ask("anthropic", notice)).toMatchObject({ outcome: "skipped", why: "E_TRIGGER_NOBODY" });
    const none = { trigger: () => Promise.reject(refuse("E_MODEL_NONE")) };
    expect(await ask(undefined, notice, { deps: none })).toMatchObject({ outcome: "skipped", why: "E_MODEL_NONE" });
    const broken = { trigger: () => Promise.reject(new Error("x")) };
    expect(await ask(undefined, notice, { deps: broken })).toMatchObject({ outcome: "failed" });
    const endless = { trigger: () => new Promise<void>(() => {}) };
    expect(await ask(undefined, { ...notice, timeoutMs: 300 }, { deps: endless })).toMatchObject({ outcome: "late" });
  });
});
