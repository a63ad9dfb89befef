import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import hostEvents from "../../fixtures/host-events.json" with { type: "json" };
import { EVENT_NAMES, EVENTS, type EventName, eventRow, foldEvent, isEventName, meantEvent } from "./event.ts";

describe("every event that a host fires has a name here", () => {
  test.each(Object.entries(hostEvents))("%s", (_, spellings) => {
    expect(spellings.filter((spelling) => foldEvent(spelling) === undefined)).toEqual([]);
    // A name with dots would have one by its form alone.
    const dotted = spellings.filter((spelling) => spelling.includes("."));
    const known = dotted.map((spelling) => foldEvent(spelling) ?? "");
    expect(known.filter((name) => !Object.hasOwn(EVENTS, name))).toEqual([]);
  });

  test("nothing is known that no host fires", () => {
    const fired = new Set<string>(
      Object.values(hostEvents).flatMap((names) => names.map((name) => foldEvent(name) ?? "")),
    );
    expect(EVENT_NAMES.filter((name) => !fired.has(name))).toEqual([]);
  });
});

/** The table of the design: what may be answered, and what may be when the handler says nothing. */
const STAGES: [EventName, string, string, string][] = [
  ["SessionStart", "cancel context", "cancel context", ""],
  ["SubagentStart", "context", "context", ""],
  ["UserPromptSubmit", "cancel context patch", "cancel context", "prompt"],
  ["PreToolUse", "allow ask cancel context patch", "ask cancel", "tool_input"],
  ["PermissionRequest", "allow ask cancel", "ask cancel", ""],
  ["PostToolUse", "cancel context patch", "cancel context", "tool_response"],
  ["PostToolUseFailure", "cancel context patch", "cancel context", "error"],
  ["PostToolBatch", "cancel context", "cancel context", ""],
  ["PreCompact", "cancel context", "cancel context", ""],
  ["Stop", "cancel", "cancel", ""],
  ["SubagentStop", "cancel", "cancel", ""],
  ["memory.save", "ask cancel context patch", "cancel", "payload"],
  ["host.stage", "ask cancel context patch", "cancel", "payload"],
];
const REFUSABLE =
  `PreSkillShellCommand PreModelSwitch UserPromptExpansion Elicitation ElicitationResult TeammateIdle TaskCompleted TodoCreated
   TodoCompleted BeforeModel AfterModel PreMcpToolCall BeforeShellExecution BeforeMCPExecution BeforeReadFile`.split(
    /\s+/,
  );

describe("stages", () => {
  test.each(STAGES)("%s", (event, may, defaultMay, patchable) => {
    const row = eventRow(event);
    expect(row.kind).toBe("stage");
    expect([...row.may].sort().join(" ")).toBe(may);
    expect([...row.defaultMay].sort().join(" ")).toBe(defaultMay);
    expect(row.patchable.join(" ")).toBe(patchable);
    expect(row.defaultTimeoutMs).toBe(10_000);
  });

  test("where a host obeys a refusal and nothing more is known, that is the only right", () => {
    for (const event of REFUSABLE) expect(eventRow(foldEvent(event) ?? "x.x")).toMatchObject({ may: ["cancel"] });
  });

  test("everything else is a notice: no right, no patch, 30 seconds", () => {
    const stages = new Set<string>([...STAGES.map(([event]) => event), ...REFUSABLE]);
    const notices = EVENT_NAMES.filter((name) => !stages.has(name));
    expect(notices.length).toBeGreaterThan(40);
    for (const name of [...notices, "custom.x", "skill.created"] as EventName[]) {
      const want = { kind: "notice", may: [], defaultMay: [], patchable: [] };
      expect(eventRow(name)).toMatchObject({ ...want, defaultTimeoutMs: name === "SessionEnd" ? 1_000 : 30_000 });
    }
  });

  test("a default is never more than what may be given", () => {
    for (const name of EVENT_NAMES)
      expect(EVENTS[name].may).toEqual(expect.arrayContaining([...EVENTS[name].defaultMay]));
  });
});

describe("spellings", () => {
  test.each([
    ["PreToolUse", "PreToolUse"],
    ["preToolUse", "PreToolUse"],
    ["pre_tool_use", "PreToolUse"],
    ["BeforeTool", "PreToolUse"],
    ["tool.call", "PreToolUse"],
    ["tool.result", "PostToolUse"],
    ["agentStop", "Stop"],
    ["before_mcp_execution", "BeforeMCPExecution"],
    ["memory.save", "memory.save"],
    ["custom.deploy.done", "custom.deploy.done"],
    ["host.stage", "host.stage"],
  ])("%s is %s", (spelling, event) => {
    expect(foldEvent(spelling)).toBe(event as EventName);
    expect(meantEvent(spelling)).toBeUndefined();
  });

  test.each([
    ["PRETOOLUSE", "PreToolUse"],
    ["PreToolUze", "PreToolUse"],
    ["pretooluse", "PreToolUse"],
    ["Custom.Deploy", "custom.deploy"],
    ["tool.cal", "tool.call"],
    ["memry.saved", "memory.saved"],
    ["turn.complete", undefined],
    ["custm.deploy", "custom.deploy"],
    ["whatever", undefined],
  ])("%s is taken for %s", (spelling, meant) => expect(meantEvent(spelling)).toBe(meant));

  test("no spelling has two meanings", () => {
    const aliases = EVENT_NAMES.flatMap((name) => EVENTS[name].aliases);
    expect(new Set(aliases).size).toBe(aliases.length);
    for (const name of EVENT_NAMES) {
      expect(foldEvent(name)).toBe(name);
      for (const alias of EVENTS[name].aliases) expect(foldEvent(alias)).toBe(name);
    }
  });

  test("an alias is folded and is no name itself", () => {
    for (const alias of ["tool.call", "permission.ask", "preToolUse"]) expect(isEventName(alias)).toBe(false);
  });

  test.each([
    "",
    "constructor",
    "__proto__",
    "toString",
    "custom.",
    ".x",
    "custom..x",
    "a.b c",
    `custom.${"x".repeat(100)}`,
  ])("%p is no event", (spelling) => expect(foldEvent(spelling)).toBeUndefined());

  test("any text is an event or none", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z._-]{1,20}$/)), (spelling) => {
        const event = foldEvent(spelling);
        meantEvent(spelling);
        return event === undefined || (isEventName(event) && foldEvent(event) === event);
      }),
    );
  });
});
