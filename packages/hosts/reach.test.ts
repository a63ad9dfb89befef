import { describe, expect, test } from "bun:test";
import { parseMatcher } from "@hookpkg/spec";
import { HOOK_RULES, HOST_SETTINGS, hostNamed, type Reaching, reachOf } from "./index.ts";

function reach(host: string, handler: Partial<Omit<Reaching, "matcher">> & { matcher?: string }) {
  const settings = HOST_SETTINGS.find((one) => one.host === host);
  const adapter = hostNamed(host);
  const rules = HOOK_RULES.find((one) => one.host === host);
  if (!settings || !adapter || !rules) throw new Error(host);
  const events = settings.entries.map(({ event }) => event);
  const { matcher, ...rest } = handler;
  const asked: Reaching = { event: "PreToolUse", may: ["cancel"], matcher: parseMatcher(matcher), ...rest };
  return reachOf({ adapter, events, rules }, asked);
}

describe("what runs", () => {
  test.each(["claude-code", "codex", "gemini-cli", "qwen-code"])("a guard of shell commands on %s", (host) => {
    expect(reach(host, { matcher: "Bash" })).toEqual({ reach: "runs", lost: [] });
  });

  test.each(["claude-code", "codex", "gemini-cli", "qwen-code"])("a guard of writes on %s", (host) => {
    expect(reach(host, { matcher: "Write|Edit" }).reach).toBe("runs");
  });
});

test("what handlers and people tell each other needs no event of the host's own", () => {
  expect(reach("cline", { event: "custom.deployed", may: [] })).toEqual({ reach: "runs", lost: [] });
  expect(reach("cline", { event: "skill.used", may: [] }).reach).toBe("never");
});

describe("what is lost", () => {
  test.each([
    ["codex", { may: ["ask", "cancel"] }, ["an ask is a refusal there"]],
    ["qwen-code", { may: ["patch", "cancel"] }, ["a rewrite is refused there"]],
    ["gemini-cli", { may: ["context", "cancel"] }, ["context is left out there"]],
    ["codex", { matcher: "Bash|NotebookEdit" }, ["no tool of codex is called NotebookEdit"]],
  ] as const)("%s %p", (host, handler, lost) => {
    expect(reach(host, handler)).toEqual({ reach: "in part", lost });
  });
});

describe("what never runs", () => {
  test.each([
    ["gemini-cli", { event: "PostToolUseFailure" }, /does not ask hookpkg at PostToolUseFailure/],
    ["claude-code", { event: "FileChanged" }, /does not ask/],
    ["codex", { matcher: "NotebookEdit" }, /no tool of codex is called that/],
    ["claude-code", { matcher: "^nothing$" }, /no tool of claude-code/],
    ["gemini-cli", { event: "SessionStart", may: ["cancel"] }, /not obeyed/],
  ] as const)("%s %p", (host, handler, why) => {
    const found = reach(host, handler);
    expect(found.reach).toBe("never");
    expect(found.lost.join()).toMatch(why);
  });
});
