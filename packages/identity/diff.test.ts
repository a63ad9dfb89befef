import { describe, expect, test } from "bun:test";
import { type Capabilities, NO_CAPABILITIES, type NormalForm, sha256 } from "@hookpkg/spec";
import { covers, diffNormalForms } from "./index.ts";

const approved: NormalForm = {
  v: 1,
  event: "PreToolUse",
  matcher: { names: ["Bash", "Write"] },
  if: [{ tool: "Bash", pattern: "git push*" }],
  run: { type: "module", path: "guard.ts", export: "default", isolate: "worker" },
  may: ["ask", "cancel"],
  timeoutMs: 10_000,
  failMode: "closed",
  once: false,
  async: false,
  answers: "lenient",
  outputLimit: 10_000,
  before: [],
  after: [],
  capabilities: { ...NO_CAPABILITIES, read: ["src"], net: ["a.example:443"] },
  requires: ["git"],
  closure: sha256("code"),
};

const rights = (part: Partial<Capabilities>): Partial<NormalForm> => ({
  capabilities: { ...approved.capabilities, ...part },
});
const rule = { tool: "Bash", pattern: "git reset*" };

describe("what changed since the approval", () => {
  test("nothing", () => {
    expect(diffNormalForms(approved, structuredClone(approved))).toEqual([]);
  });

  const cases: [string, Partial<NormalForm>, string, boolean][] = [
    ["another event", { event: "PostToolUse" }, "event", true],
    ["a name more", { matcher: { names: ["Bash", "Edit", "Write"] } }, "matcher", true],
    ["a name less", { matcher: { names: ["Bash"] } }, "matcher", false],
    ["everything", { matcher: null }, "matcher", true],
    ["an expression", { matcher: { re2: "Bash" } }, "matcher", true],
    ["a rule more", { if: [...approved.if, rule] }, "if", true],
    ["no rule any more", { if: [] }, "if", true],
    ["another program", { run: { type: "command", argv: ["x"] } }, "run", false],
    ["a right more", { may: ["ask", "cancel", "patch"] }, "may", true],
    ["a right less", { may: ["cancel"] }, "may", false],
    ["longer", { timeoutMs: 20_000 }, "timeoutMs", true],
    ["shorter", { timeoutMs: 5000 }, "timeoutMs", false],
    ["no longer closed", { failMode: "open" }, "failMode", true],
    ["once", { once: true }, "once", false],
    ["in the background", { async: true }, "async", false],
    ["strict", { answers: "strict" }, "answers", false],
    ["more output", { outputLimit: 20_000 }, "outputLimit", true],
    ["another place", { before: ["#x"] }, "before", false],
    ["a program more", { requires: ["curl", "git"] }, "requires", true],
    ["other code", { closure: sha256("other") }, "closure", false],
    ["reads the project", rights({ project: "read" }), "capabilities.project", true],
    ["reads below what it reads", rights({ read: ["src/a", "src/b"] }), "capabilities.read", false],
    ["reads beside it", rights({ read: ["src2"] }), "capabilities.read", true],
    ["writes", rights({ write: ["$file"] }), "capabilities.write", true],
    ["another host", rights({ net: ["b.example:443"] }), "capabilities.net", true],
    ["no host", rights({ net: [] }), "capabilities.net", false],
    ["a variable", rights({ env: ["CI"] }), "capabilities.env", true],
    ["the model", rights({ model: true }), "capabilities.model", true],
    ["more memory", rights({ limits: { memoryMiB: 1024, dataMiB: 0 } }), "capabilities.limits", true],
    ["less memory", rights({ limits: { memoryMiB: 64, dataMiB: 0 } }), "capabilities.limits", false],
  ];
  test.each(cases)("%s", (_, change, field, widens) => {
    const changes = diffNormalForms(approved, { ...approved, ...change });
    expect(changes.map((found) => [found.field as string, found.widens])).toEqual([[field, widens]]);
  });

  test("says what was and what would be", () => {
    const [change] = diffNormalForms(approved, { ...approved, timeoutMs: 5000 });
    expect(change).toEqual({ field: "timeoutMs", before: 10_000, after: 5000, widens: false });
  });

  test("rules where there were none narrow", () => {
    const [change] = diffNormalForms({ ...approved, if: [] }, { ...approved, if: [rule] });
    expect(change?.widens).toBe(false);
  });
});

describe("covers", () => {
  const some: Capabilities = { ...NO_CAPABILITIES, read: ["src"], write: ["out"], env: ["CI"] };

  test("itself and less, not more", () => {
    expect(covers(some, some)).toBe(true);
    expect(covers(some, NO_CAPABILITIES)).toBe(true);
    expect(covers(NO_CAPABILITIES, some)).toBe(false);
    expect(covers(some, { ...some, read: ["src", "lib"] })).toBe(false);
  });

  test("the one file of the event is no folder", () => {
    expect(covers({ ...some, write: ["$file"] }, { ...some, write: ["$file/x"] })).toBe(false);
    expect(covers(some, { ...some, write: ["out/x"] })).toBe(true);
    expect(covers(some, { ...some, write: ["$file"] })).toBe(false);
  });
});
