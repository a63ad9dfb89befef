import { expect, test } from "bun:test";
import { diffNormalForms } from "@hookpkg/identity";
import { type Capabilities, NO_CAPABILITIES, type NormalForm } from "@hookpkg/spec";
import { pageLines } from "./page.ts";
import { abilities, reaction } from "./words.ts";

const form: NormalForm = {
  v: 1,
  event: "PreToolUse",
  matcher: { names: ["Bash"] },
  if: [{ tool: "Bash", pattern: "git *" }],
  run: { type: "module", path: "guard.ts", export: "default", isolate: "worker" },
  may: ["cancel"],
  timeoutMs: 5000,
  failMode: "closed",
  once: false,
  async: false,
  answers: "lenient",
  outputLimit: 10_000,
  before: [],
  after: [],
  capabilities: NO_CAPABILITIES,
  requires: [],
  closure: `sha256:${"0".repeat(64)}`,
};

test("what acts in the person's name comes first and warns", () => {
  const found = abilities({ ...form, may: ["cancel", "context", "patch", "allow"] });
  expect(found.slice(0, 4).map(({ warns }) => warns)).toEqual([true, true, true, false]);
  expect(found[0]?.text).toContain("allows calls for you");
});

test("every right has its words", () => {
  const capabilities: Capabilities = {
    project: "read",
    read: ["~/.config"],
    write: ["build"],
    net: ["x.dev:443"],
    env: ["TOKEN"],
    model: true,
    limits: { memoryMiB: 1024, dataMiB: 64 },
  };
  const text = abilities({ ...form, capabilities, requires: ["git"] }).map((one) => one.text);
  for (const word of ["project's files", "~/.config", "build", "x.dev:443", "TOKEN", "model", "1024 MiB", "git"])
    expect(text.some((line) => line.includes(word))).toBe(true);
});

test.each([
  ["another right to answer", { may: ["cancel", "allow"] }, "allows calls"],
  ["a longer time", { timeoutMs: 60_000 }, "60 s"],
  ["an open fail mode", { failMode: "open" }, "passes"],
  ["a name in the environment", { capabilities: { ...NO_CAPABILITIES, env: ["TOKEN"] } }, "TOKEN"],
  ["a program", { requires: ["git"] }, "git"],
] satisfies [string, Partial<NormalForm>, string][])(
  "%s is marked as wider, and nothing else is",
  (_, change, word) => {
    const after = { ...form, ...change };
    const wider = abilities(after, diffNormalForms(form, after)).filter((one) => one.widened);
    expect(wider.map((one) => one.text)).toEqual([expect.stringContaining(word)]);
  },
);

test("a model's word is said to be one, and who can talk to it; new in the place of code it is marked", () => {
  const prompt: NormalForm = { ...form, run: { type: "prompt", prompt: "Is \u202eit well?", model: "small" } };
  const [first, second] = abilities(prompt, diffNormalForms(form, prompt));
  expect([first?.text, second]).toEqual([
    "cancels calls",
    { text: expect.stringMatching(/model decide.*whole event.*talk to the model/), warns: true, widened: true },
  ]);
  const agent: NormalForm = { ...prompt, run: { type: "agent", prompt: "Judge.", model: "large" } };
  expect(abilities(agent, diffNormalForms(prompt, agent)).filter(({ widened }) => widened)).toEqual([]);
  const text = abilities(agent).map((one) => one.text);
  expect(text).toContainEqual('runs a turn of your large model: "Judge.", for 5 s at most');
  const trigger = abilities({ ...prompt, event: "Notification", may: [] }).map((one) => one.text);
  expect(trigger[0]).toStartWith("begins a turn of your model, and your agent may be told its text");
  expect(trigger.join()).not.toContain("only watches");
});

test("what it reacts to is one sentence; less of it is not wider, more is", () => {
  expect(reaction(form)).toEqual({ text: "PreToolUse of Bash, only Bash(git *)", widened: false });
  const all = { ...form, matcher: null, if: [] };
  expect(reaction(all, diffNormalForms(form, all))).toEqual({ text: "PreToolUse of everything", widened: true });
  expect(reaction(form, diffNormalForms(all, form)).widened).toBe(false);
  expect(reaction({ ...form, matcher: { re2: "^Ba" }, once: true }).text).toContain("/^Ba/");
});

test("lines are at most 100 columns, nothing is lost and nothing steers the terminal", () => {
  const text = `${"word ".repeat(60)}${"x".repeat(300)}\u001b[31m end`;
  const lines = pageLines(text, "  !+ ");
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(100);
  expect(
    lines
      .map((line) => line.slice(5))
      .join("")
      .replaceAll(" ", ""),
  ).toBe(text.replace("\u001b", "<U+001B>").replaceAll(" ", ""));
});
