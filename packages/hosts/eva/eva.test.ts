import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import type { Decision, EventName } from "@hookpkg/spec";
import fc from "fast-check";
import { eva } from "./eva.ts";
import { evaEvent, evaStage } from "./stage.ts";

const at = (stage: string, payload: unknown) => ({ hook_event_name: stage, session_id: "s", cwd: "/p", payload });
const read = (stage: string, payload: unknown) => eva.read(at(stage, payload));
const DECISION: Decision = { v: 1, decision: "continue", person: [], handlers: [] };
const write = (stage: string, payload: unknown, decision: Partial<Decision>) =>
  JSON.parse(eva.write(read(stage, payload), { ...DECISION, ...decision }).stdout);

describe("stages", () => {
  test.each([
    ["tool.call", "PreToolUse"],
    ["tool.result", "PostToolUse"],
    ["memory.save", "memory.save"],
    ["plan.change", "plan.change"],
  ] as const)("%s is %s, both ways", (stage, event) => {
    expect(String(evaEvent(stage))).toBe(event);
    expect(evaStage(event)).toBe(stage);
  });

  test("events of other hosts and notices are no stage to declare", () => {
    for (const event of ["Stop", "SessionStart", "turn.completed", "custom.x", "spend.day"] as EventName[])
      expect(evaStage(event)).toBeUndefined();
    for (const stage of ["Stop", "PreToolUse", "", "chat.message"]) expect(evaEvent(stage)).toBeUndefined();
  });
});

test("shell is Bash, with its stable form; other tools keep their name", () => {
  const shell = read("tool.call", { name: "shell", input: { command: "ls" } });
  expect(shell.payload).toMatchObject({ tool_name: "Bash", tool_input: { command: "ls" }, session_id: "s", cwd: "/p" });
  expect(shell.subjects).toContain("Bash");
  expect(read("tool.call", { name: "web", input: {} }).payload?.tool_name).toBe("web");
});

test("no field of the payload poses as one of ours, or makes the call unreadable", () => {
  const poser = {
    name: "shell",
    input: { command: "ls" },
    tool_name: "Read",
    tool_input: {},
    cwd: 5,
    session_id: "other",
  };
  const odd = {
    ...poser,
    hook_event_name: "Stop",
    model: {},
    turn_id: [],
    transcript_path: 1,
    tool_use_id: "t",
    kept: 1,
  };
  const { payload } = read("tool.call", odd);
  expect(payload).toEqual({
    ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: "/p", transcript_path: null },
    ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t", kept: 1 },
  });
});

test("a patch has every field that came, whatever it is", () => {
  const fields = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(fields, (rest) => {
      const payload = JSON.parse(JSON.stringify({ ...rest, name: "shell", input: { command: "ls" } }));
      const said = write("tool.call", payload, { patch: { tool_input: { command: "pwd" } } });
      expect(said).toEqual({ decision: "patch", payload: { ...payload, input: { command: "pwd" } } });
    }),
  );
});

test("what stands for the result is patched where it stood", () => {
  const patch = { tool_response: "b" };
  expect(write("tool.result", { name: "x", result: "a" }, { patch }).payload).toEqual({ name: "x", result: "b" });
  expect(write("tool.result", { name: "x", output: "a", result: 1 }, { patch }).payload).toEqual({
    ...{ name: "x", output: "b", result: 1 },
  });
});

test("cancel, end and ask refuse; allow and context without a place go on", () => {
  const call = { name: "shell", input: { command: "ls" } };
  for (const decision of ["cancel", "end", "ask"] as const)
    expect(write("tool.call", call, { decision, reason: "no" })).toMatchObject({ decision: "cancel" });
  expect(write("tool.call", call, { decision: "allow" })).toEqual({ decision: "continue" });
  expect(write("tool.call", call, { context: "c" })).toEqual({ decision: "continue" });
  expect(write("turn.completed", {}, { decision: "cancel", reason: "no" })).toEqual({ decision: "continue" });
});

test("what the person should hear stands beside the answer, with what Eva has no place for", () => {
  const call = read("tool.call", { name: "shell", input: { command: "ls" } });
  const { stderr } = eva.write(call, { ...DECISION, person: ["hookpkg: a line"], context: "c" });
  expect(stderr.split("\n")).toEqual(["hookpkg: a line", expect.stringContaining("takes no context at tool.call"), ""]);
});

test("a call that cannot be read is a fault, and its refusal is Eva's cancel", () => {
  const code = (payload: unknown) => {
    try {
      return read("tool.call", payload).event;
    } catch (error) {
      return isFault(error) ? error.code : "";
    }
  };
  for (const payload of [undefined, [], {}, { name: 5 }, { name: "a\u202eb" }])
    expect(code(payload)).toBe("E_HOST_FIELD");
  expect(JSON.parse(eva.refuse({ name: "PreToolUse" }, "no").stdout)).toEqual({ decision: "cancel", reason: "no" });
});
