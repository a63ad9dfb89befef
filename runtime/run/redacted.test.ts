import { expect, test } from "bun:test";
import type { Outcome } from "@hookpkg/spec";
import { redacted } from "./redacted.ts";
import { module, shell } from "./test-run.ts";

const SECRET = "value-of-plain-name-1";
const granted = { capabilities: { env: ["PLAIN"] }, call: { env: { PLAIN: SECRET } } };

test.each<[string, Outcome]>([
  ["a reason", { outcome: "answered", answer: { answer: "cancel", reason: `no ${SECRET}` }, ms: 1 }],
  ["a context", { outcome: "answered", answer: { answer: "context", context: SECRET }, ms: 1 }],
  ["what is printed", { outcome: "answered", answer: { answer: "continue", printed: SECRET }, ms: 1 }],
  ["what is shown", { outcome: "answered", answer: { answer: "continue", shown: SECRET }, ms: 1 }],
  ["a detail", { outcome: "failed", why: "E_RUN_THREW", detail: SECRET, ms: 1 }],
  ["stderr", { outcome: "late", why: "E_RUN_LATE", stderr: SECRET, ms: 1 }],
  ["a note", { outcome: "not-reached", notes: [SECRET], ms: 1 }],
  ["a denial", { outcome: "not-reached", denied: [`net ${SECRET}:443: not declared`], ms: 1 }],
])("a granted value is not in %s", (_, outcome) => {
  const said = JSON.stringify(redacted(outcome, [SECRET]));
  expect([said.includes(SECRET), said.includes("«redacted:secret»")]).toEqual([false, true]);
  expect(redacted(outcome, [])).toEqual(outcome);
});

test("a patch is what will happen, and stays", () => {
  const fields = { tool_input: { command: `echo ${SECRET}` } };
  const outcome: Outcome = { outcome: "answered", answer: { answer: "patch", fields }, ms: 1 };
  expect(redacted(outcome, [SECRET])).toEqual(outcome);
});

test("a handler that prints, throws or answers what it was granted says nothing by it", async () => {
  const ends = [
    module(`export default (event, ctx) => { console.error(ctx.env.PLAIN); throw new Error(ctx.env.PLAIN) }`, granted),
    module(`export default (event, ctx) => ({ answer: "cancel", reason: ctx.env.PLAIN })`, granted),
    module(`export default (event, ctx) => ({ answer: ctx.env.PLAIN })`, granted),
    module(
      `export default (event, ctx) => ctx.fetch("https://" + ctx.env.PLAIN + ".example/").catch(() => {})`,
      granted,
    ),
    shell(`echo "$PLAIN"; echo "$PLAIN" >&2; exit 2`, granted),
    shell(`echo "{\\"$PLAIN\\": 1}"; exit 1`, granted),
  ];
  for (const outcome of await Promise.all(ends)) expect(JSON.stringify(outcome)).not.toContain(SECRET);
});
