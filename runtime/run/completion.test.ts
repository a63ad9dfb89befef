import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import type { ModelClient, ModelRequest } from "../model/client.ts";
import { server as modelServer, PROVIDERS, personOf } from "./test-model.ts";
import { event, folder, module, type Trial, trial } from "./test-run.ts";
import { Workers } from "./workers.ts";

afterAll(() => modelServer.stop());
const asked: ModelRequest[] = [];
beforeEach(() => {
  asked.length = 0;
});

const echo: ModelClient = async (request) => {
  asked.push(request);
  return { text: `said: ${request.prompt}`, calls: [] };
};
const given = (model: ModelClient | undefined, more: Trial = {}): Trial => ({
  ...{ capabilities: { model: true }, deps: model === undefined ? {} : { model }, ...more },
});
const inModule = (call: string, trial: Trial = given(echo)) =>
  module(
    `export default async (event, ctx) => ({ answer: "context", context: await (async () => ${call})().then(String, (error) => error.code) })`,
    trial,
  );
const said = (outcome: Outcome) =>
  outcome.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : JSON.stringify(outcome);

describe("ctx.complete of a module", () => {
  test.each<[string, object]>([
    ["ctx.complete('hi')", { size: "small", system: "", prompt: "hi", maxTokens: 1024 }],
    ["ctx.complete('hi', undefined)", { size: "small", system: "", prompt: "hi", maxTokens: 1024 }],
    [
      "ctx.complete('hi', { system: 'be brief', model: 'large', maxTokens: 7 })",
      { size: "large", system: "be brief", prompt: "hi", maxTokens: 7 },
    ],
  ])("%s is one request", async (call, want) => {
    expect(said(await inModule(call))).toBe("said: hi");
    expect(asked).toEqual([{ ...want, signal: expect.any(AbortSignal) } as ModelRequest]); // the test's own words
  });

  test.each([
    "ctx.complete()",
    "ctx.complete('')",
    "ctx.complete(5)",
    "ctx.complete('x'.repeat(200001))",
    "ctx.complete('hi', 'system')",
    "ctx.complete('hi', { temperature: 0 })",
    "ctx.complete('hi', { model: 'huge' })",
    "ctx.complete('hi', { maxTokens: 100000 })",
    "ctx.complete('hi', {}, 1)",
  ])("%s is none", async (call) => {
    expect(said(await inModule(call))).toBe("E_MODEL_REQUEST");
    expect(asked).toEqual([]);
  });

  test("may be asked for eight times an event", async () => {
    const call = "Promise.all(Array.from({ length: 9 }, async (_, n) => { await ctx.complete('hi ' + n); }))";
    expect(said(await inModule(`{ for (let n = 0; n < 8; n++) await ctx.complete("hi"); return "fine"; }`))).toBe(
      "fine",
    );
    asked.length = 0;
    const tenth = "{ for (let n = 0; n < 9; n++) await ctx.complete('hi'); }";
    expect(said(await inModule(tenth))).toBe("E_MODEL_LIMIT");
    expect(asked).toHaveLength(8);
    expect(said(await inModule(call))).toStartWith("E_");
  });

  test("needs the right, a model, and one that answers", async () => {
    const without = await inModule("ctx.complete('hi')", { deps: { model: echo } });
    expect([said(without), without.denied]).toEqual(["E_CAPABILITY", ["complete: not approved"]]);
    expect(asked).toEqual([]);
    expect(said(await inModule("ctx.complete('hi')", given(undefined)))).toBe("E_MODEL_NONE");
    const broken: ModelClient = () => Promise.reject(new Error("key k-3y"));
    const outcome = await inModule("ctx.complete('hi')", given(broken));
    expect(said(outcome)).toBe("E_MODEL_CLIENT");
    expect(JSON.stringify(outcome)).not.toContain("k-3y");
  });

  test("ends with the call", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const model: ModelClient = async ({ prompt, signal }) => {
      if (prompt === "endless") begun.resolve(signal);
      await (prompt === "endless" ? new Promise(() => {}) : begun.promise);
      return { text: "begun", calls: [] };
    };
    const call = "(ctx.complete('endless').catch(() => {}), ctx.complete('until it has begun'))";
    expect(said(await inModule(call, given(model)))).toBe("begun");
    expect((await begun.promise).aborted).toBe(true);
  });

  test.each([...PROVIDERS])("reaches the person's own model, by %s", async (provider) => {
    modelServer.says({ text: "it is a shell command" });
    const call = "ctx.complete('what is this?', { model: 'large', maxTokens: 5 })";
    expect(said(await inModule(call, given(personOf(provider))))).toBe("it is a shell command");
    expect(modelServer.got.at(-1)).toMatchObject({ model: "big", roles: ["user"], user: "what is this?", tools: [] });
    expect(modelServer.got.at(-1)?.body).toMatchObject({ max_tokens: 5 });
  });
});

const PYTHON = `import json, sys
def say(frame):
    sys.stdout.write(json.dumps(frame) + "\\n"); sys.stdout.flush()
say({"ready": 1})
for line in sys.stdin:
    call = json.loads(line)
    say({"id": call["id"], "rpc": "complete", "n": 1, "args": [call["payload"]["tool_input"]["command"], {"maxTokens": 9}]})
    reply = json.loads(sys.stdin.readline())
    said = reply["ok"] if "ok" in reply else reply["error"]["code"]
    say({"id": call["id"], "answer": {"answer": "context", "context": said}})
`;

describe("complete as a service asks for it", () => {
  const ask = (command: string, more: Trial) =>
    trial(
      { type: "service", argv: ["python3", "-I", "${PLUGIN_ROOT}/guard.py"] },
      {
        ...{ files: { "guard.py": PYTHON }, ...more },
        call: { dataFolder, payload: { ...event, tool_input: { command } } },
      },
    );
  const dataFolder = join(folder(), "data");

  test("is the same, call after call, in a worker that stays", async () => {
    const workers = new Workers();
    try {
      expect(said(await ask("one", given(echo, { workers })))).toBe("said: one");
      expect(said(await ask("two", given(echo, { workers })))).toBe("said: two");
      expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([9, 9]);
      expect(said(await ask("three", given(undefined, { workers })))).toBe("E_MODEL_NONE");
    } finally {
      await workers.close();
    }
  });

  test("is denied without the right", async () => {
    const outcome = await ask("one", { deps: { model: echo } });
    expect([said(outcome), outcome.denied]).toEqual(["E_CAPABILITY", ["complete: not approved"]]);
  });
});
