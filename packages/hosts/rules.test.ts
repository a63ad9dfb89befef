import { describe, expect, test } from "bun:test";
import { parseMatcher } from "@hookpkg/spec";
import { foreignHooks, HOOK_RULES, HOST_SETTINGS, hookProblems, hostNamed, reachOf } from "./index.ts";

function rulesOf(host: string) {
  const [adapter, rules] = [hostNamed(host), HOOK_RULES.find((one) => one.host === host)];
  if (!adapter || !rules) throw new Error(host);
  return { adapter, rules };
}

/** The kinds of what is wrong with one hook of somebody's in a host's settings. */
function kinds(host: string, event: string, hook: object, matcher?: string): string[] {
  const group = matcher === undefined ? { hooks: [hook] } : { matcher, hooks: [hook] };
  const { hooks, problems } = foreignHooks({ hooks: { [event]: [group] } });
  const [found] = hooks;
  if (!found) throw new Error("no hook");
  const text = `${found.command}`;
  return [...problems, ...hookProblems(found, { ...rulesOf(host), text })].map(({ kind }) => kind);
}
const saying = (answer: object) => ({ type: "command", command: `echo '${JSON.stringify(answer)}'`, timeout: 10 });
const nested = (output: object) => saying({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } });
const DENY = { permissionDecision: "deny", permissionDecisionReason: "no" };

test("every host that can be attached has rules, with tools", () => {
  expect(HOOK_RULES.map(({ host }) => host).sort()).toEqual(HOST_SETTINGS.map(({ host }) => host).sort());
  for (const { tools } of HOOK_RULES) expect(tools.length).toBeGreaterThan(3);
});

describe("a matcher that fits no tool", () => {
  test.each([
    ["copilot-cli", "preToolUse", "Bash"],
    ["copilot-cli", "preToolUse", "*"],
    ["copilot-cli", "preToolUse", ""],
    ["copilot-cli", "preToolUse", "bas"],
    ["copilot-cli", "PreToolUse", "NotebookEdit"],
    ["cursor", "preToolUse", "Bash"],
    ["cursor", "preToolUse", "run_terminal_cmd"],
    ["peri", "PreToolUse", "bash"],
    ["peri", "PreToolUse", "Bas|Wri"],
    ["astracode", "PreToolUse", "Read"],
    ["astracode", "PreToolUse", "Edit, Write"],
  ])("%s %s %p", (host, event, matcher) => {
    expect(kinds(host, event, saying({}), matcher)).toEqual(["matcher"]);
  });

  test.each([
    ["copilot-cli", "preToolUse", "bash|edit"],
    ["copilot-cli", "preToolUse", ".*"],
    ["copilot-cli", "PreToolUse", "*"],
    ["copilot-cli", "PreToolUse", "Bash"],
    ["cursor", "preToolUse", "Shell|Write"],
    ["cursor", "preToolUse", "MCP:search"],
    ["peri", "PreToolUse", "Write | Edit"],
    ["peri", "PreToolUse", "^Ba.h$"],
    ["astracode", "PreToolUse", "Edit|Write"],
    ["astracode", "PreToolUse", "mcp__a__b"],
  ])("but not %s %s %p", (host, event, matcher) => {
    expect(kinds(host, event, saying({}), matcher)).toEqual([]);
  });
});

describe("an answer that is lost", () => {
  test.each([
    ["copilot-cli", "preToolUse", nested(DENY)],
    ["copilot-cli", "preToolUse", saying({ decision: "block", reason: "no" })],
    ["copilot-cli", "PreToolUse", saying({ decision: "deny", reason: "no" })],
    ["copilot-cli", "postToolUse", { type: "command", bash: "echo no >&2; exit 2", timeoutSec: 10 }],
    ["cursor", "preToolUse", nested(DENY)],
    ["cursor", "preToolUse", saying({ permission: "ask" })],
    ["cursor", "preToolUse", { type: "command", command: "grep x || exit 1" }],
    ["peri", "PreToolUse", nested({ permissionDecision: "ask" })],
    ["peri", "PermissionRequest", nested({ decision: { behavior: "x" } })],
    ["astracode", "PreToolUse", nested({ permissionDecision: "ask" })],
    ["astracode", "PreToolUse", nested({ permissionDecision: "allow" })],
    ["astracode", "PreToolUse", nested({ updatedInput: {} })],
    ["astracode", "PreToolUse", nested({ ...DENY, additionalContext: "x" })],
    ["astracode", "PreToolUse", saying({ continue: false })],
    ["astracode", "PreToolUse", saying({ suppressOutput: true })],
    ["astracode", "PreToolUse", { type: "command", command: "exit 2" }],
  ])("%s %s %j", (host, event, hook) => expect(kinds(host, event, hook)).toEqual(["answer"]));

  test.each([
    ["copilot-cli", "preToolUse", saying(DENY)],
    ["copilot-cli", "PreToolUse", nested(DENY)],
    ["copilot-cli", "preToolUse", { type: "command", bash: "exit 1", timeoutSec: 10 }],
    ["copilot-cli", "postToolUse", saying({ decision: "block", reason: "no" })],
    ["cursor", "preToolUse", saying({ permission: "deny" })],
    ["cursor", "beforeShellExecution", saying({ permission: "ask" })],
    ["peri", "PreToolUse", nested(DENY)],
    ["astracode", "PreToolUse", nested(DENY)],
    ["astracode", "PreToolUse", saying({ decision: "block", reason: "no" })],
    ["astracode", "PostToolUse", nested({ additionalContext: "x" })],
  ])("but not %s %s %j", (host, event, hook) => expect(kinds(host, event, hook)).toEqual([]));
});

describe("units and forms", () => {
  test.each([
    ["copilot-cli", "preToolUse", { type: "command", bash: "true", timeoutSec: 30_000 }, ["unit"]],
    ["cursor", "preToolUse", { type: "command", command: "true", timeout: 5000 }, ["unit"]],
    ["peri", "PreToolUse", { type: "command", command: "true", timeout: 5000 }, ["unit"]],
    ["astracode", "PreToolUse", { type: "prompt" }, ["form"]],
    ["astracode", "PreToolUse", { type: "command", command: "true", async: true }, ["form"]],
    ["astracode", "PreToolUse", { type: "command", command: "true", args: [] }, ["form"]],
    ["copilot-cli", "preToolUse", { type: "agent" }, ["form"]],
    ["peri", "PreToolUse", { type: "mcp_tool" }, ["form"]],
  ])("%s %s %j", (host, event, hook, wanted) => expect(kinds(host, event, hook)).toEqual(wanted));
});

describe("a handler whose matcher no tool of a host has", () => {
  const reach = (host: string, matcher: string) => {
    const events = HOST_SETTINGS.find((one) => one.host === host)?.entries.map(({ event }) => event) ?? [];
    return reachOf(
      { ...rulesOf(host), events },
      { event: "PreToolUse", may: ["cancel"], matcher: parseMatcher(matcher) },
    );
  };

  test.each([
    ["copilot-cli", "NotebookEdit"],
    ["peri", "apply_patch"],
    ["astracode", "Read"],
    ["opencode", "NotebookEdit"],
    ["cline", "Agent"],
  ])("is never asked: %s %s", (host, matcher) => expect(reach(host, matcher).reach).toBe("never"));

  test.each(["copilot-cli", "cursor", "peri", "astracode", "opencode", "cline"])("%s: a guard of shells is", (host) => {
    expect(reach(host, "Bash")).toEqual({ reach: "runs", lost: [] });
  });

  test("Cursor's documents name some of its tools: it may have others", () => {
    expect(reach("cursor", "WebSearch")).toEqual({ reach: "in part", lost: ["no tool of cursor is called WebSearch"] });
  });

  test("an ask that a host refuses is said, in every host's own words", () => {
    for (const host of ["cursor", "cline", "opencode", "astracode", "peri", "codex"]) {
      const events = HOST_SETTINGS.find((one) => one.host === host)?.entries.map(({ event }) => event) ?? [];
      const asking = { event: "PreToolUse" as const, may: ["ask" as const], matcher: null };
      expect([host, reachOf({ ...rulesOf(host), events }, asking).lost]).toEqual([host, ["an ask is a refusal there"]]);
    }
  });
});
