import { expect, test } from "bun:test";
import type { Outcome } from "@hookpkg/spec";
import { MAX_EMITTED_A_CALL } from "../notice/emitted.ts";
import type { Emitted } from "../notice/trigger.ts";
import { module, type Trial, trial } from "./test-run.ts";

/** A module's run, and what it told. */
async function telling(code: string, more: Trial = {}): Promise<{ outcome: Outcome; told: Emitted[] }> {
  const told: Emitted[] = [];
  const outcome = await module(`export default ${code};\n`, { ...more, deps: { emit: (one) => void told.push(one) } });
  return { outcome, told };
}

const said = (outcome: Outcome) =>
  outcome.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : JSON.stringify(outcome);
const CODES = "const code = (told) => told.then(() => 'taken', (error) => error.code);";

test("what a module tells is taken before its answer, awaited or not, with no right at all", async () => {
  const { outcome, told } = await telling(`async (event, ctx) => {
    await ctx.emit("custom.a", { n: 1 });
    ctx.emit("custom.b");
    return { answer: "continue" };
  }`);
  expect(outcome).toMatchObject({ outcome: "answered" });
  expect(told).toEqual([
    { name: "custom.a", data: { n: 1 } },
    { name: "custom.b", data: null },
  ]);
});

test("what is not taken rejects with a code, is in the journal beside its handler, and harms nobody who does not look", async () => {
  const { outcome, told } = await telling(`async (event, ctx) => {
    ${CODES}
    ctx.emit("Stop");
    const codes = [
      await code(ctx.emit("spend.day")), await code(ctx.emit(7)), await code(ctx.emit("custom.a", () => {})),
      await code(ctx.emit("custom.a", "x".repeat(70000))), await code(ctx.emit("custom.a", 1)),
    ];
    return { answer: "context", context: codes.join(" ") };
  }`);
  expect(said(outcome)).toBe("E_EMIT_NAME E_EMIT_NAME taken E_EMIT_SIZE taken");
  expect(outcome.denied).toEqual([
    "emit Stop: E_EMIT_NAME",
    "emit spend.day: E_EMIT_NAME",
    "emit number: E_EMIT_NAME",
    "emit custom.a: E_EMIT_SIZE",
  ]);
  expect(told.map(({ data }) => data)).toEqual([null, 1]); // a function is no JSON, and goes as nothing
});

test("a call tells so many and no more", async () => {
  const { outcome, told } = await telling(`async (event, ctx) => {
    ${CODES}
    const codes = await Promise.all(Array.from({ length: ${MAX_EMITTED_A_CALL + 2} }, (_, n) => code(ctx.emit("custom.a", n))));
    return { answer: "context", context: codes.slice(-3).join(" ") };
  }`);
  expect(said(outcome)).toBe("taken E_EMIT_CALL E_EMIT_CALL");
  expect(told).toHaveLength(MAX_EMITTED_A_CALL);
});

test("a service tells by its frames", async () => {
  const told: Emitted[] = [];
  const code = `import json, sys
def say(frame):
    sys.stdout.write(json.dumps(frame) + "\\n"); sys.stdout.flush()
say({"ready": 1})
call = json.loads(sys.stdin.readline())
for n, args in enumerate([["custom.a", {"n": 1}], ["custom.b"], "custom.c"]):
    say({"id": call["id"], "rpc": "emit", "n": n + 1, "args": args})
    last = json.loads(sys.stdin.readline())
say({"id": call["id"], "answer": {"answer": "context", "context": last["error"]["code"]}})
sys.stdin.read()
`;
  const outcome = await trial(
    { type: "service", argv: ["python3", "-I", "${PLUGIN_ROOT}/guard.py"] },
    { files: { "guard.py": code }, deps: { emit: (one) => void told.push(one) } },
  );
  expect(said(outcome)).toBe("E_EMIT_NAME");
  expect(told).toEqual([
    { name: "custom.a", data: { n: 1 } },
    { name: "custom.b", data: null },
  ]);
});
