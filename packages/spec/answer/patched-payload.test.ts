import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import type { PatchFields } from "../answer.ts";
import type { EventName } from "../event.ts";
import type { Payload } from "../payload.ts";
import { applyPatch } from "./patched-payload.ts";

const payload = (tool_name: string, tool_input: Record<string, unknown>, more: Partial<Payload> = {}): Payload => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  transcript_path: null,
  cwd: "/p",
  tool_name,
  tool_input,
  ...more,
});
const bash = payload("Bash", { command: "rm x", description: "d", timeout: 5 }, { extra: 1 });
const patch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;

test("keys that the patch names are set, the others and unknown fields survive", () => {
  const patched = applyPatch(bash, { tool_input: { command: "ls", timeout: 1 } });
  expect(patched).toEqual({ ...bash, tool_input: { command: "ls", description: "d", timeout: 1 } });
  expect(bash.tool_input).toEqual({ command: "rm x", description: "d", timeout: 5 });
});

test("paths of a patched call are absolute, changes are read anew", () => {
  const write = payload("Write", { file_path: "/p/a", content: "" });
  expect(applyPatch(write, { tool_input: { file_path: "../b" } }).tool_input).toEqual({ file_path: "/b", content: "" });
  const applied = payload("apply_patch", { patch: patch("a"), changes: [] });
  expect(applyPatch(applied, { tool_input: { patch: patch("b"), changes: [] } }).tool_input).toEqual({
    patch: patch("b"),
    changes: [{ op: "add", path: "/p/b", content: "x\n" }],
  });
});

test("a result is replaced as it is", () => {
  const after = payload("Bash", { command: "ls" }, { hook_event_name: "PostToolUse", tool_response: "secret" });
  expect(applyPatch(after, { tool_response: "" }).tool_response).toBe("");
});

test("a prompt, an error and a host's own payload are replaced", () => {
  const at = (hook_event_name: EventName, more: object): Payload => ({
    ...{ hook_event_name, session_id: "s", transcript_path: null, cwd: "/p" },
    ...more,
  });
  const prompt = at("UserPromptSubmit", { prompt: "a secret", x: 1 });
  expect(applyPatch(prompt, { prompt: "b" })).toEqual({ ...prompt, prompt: "b" });
  expect(applyPatch(at("PostToolUseFailure", { error: "a" }), { error: "b" }).error).toBe("b");
  expect(applyPatch(at("memory.save", { payload: { text: "a" } }), { payload: { text: "b" } }).payload).toEqual({
    text: "b",
  });
  const fails = (event: EventName, fields: PatchFields) => () => applyPatch(at(event, {}), fields);
  expect(fails("UserPromptSubmit", { prompt: 5 })).toThrow();
  expect(fails("Stop", { prompt: "x" })).toThrow();
  expect(fails("custom.x", { payload: "x" })).toThrow();
});

describe("refused", () => {
  test.each([
    [bash, {}, "E_ANSWER_PATCH_EMPTY"],
    [bash, { tool_input: {} }, "E_ANSWER_PATCH_EMPTY"],
    [bash, { tool_input: undefined }, "E_ANSWER_PATCH_EMPTY"],
    [bash, { cwd: "/" }, "E_ANSWER_PATCH_FIELD"],
    [bash, { tool_name: "Read", tool_input: { command: "ls" } }, "E_ANSWER_PATCH_FIELD"],
    [bash, { tool_response: "x" }, "E_ANSWER_PATCH_FIELD"],
    [bash, { tool_input: "ls" }, "E_ANSWER_PATCH_SHAPE"],
    [bash, { tool_input: { command: ["ls"] } }, "E_ANSWER_PATCH_SHAPE"],
    [payload("apply_patch", { patch: patch("a") }), { tool_input: { changes: [] } }, "E_ANSWER_PATCH_SHAPE"],
    [payload("apply_patch", { patch: patch("a") }), { tool_input: { patch: "x" } }, "E_ANSWER_PATCH_SHAPE"],
  ] as [Payload, PatchFields, string][])("%#", (before, fields, code) => {
    let caught: unknown;
    try {
      applyPatch(before, fields);
    } catch (error) {
      caught = error;
    }
    expect(isFault(caught, code)).toBe(true);
  });
});
