import { describe, expect, test } from "bun:test";
import type { EventName } from "../event.ts";
import { readCommandAnswer } from "./answer-parser.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
function strict(event: EventName, stdout: string | object, exit = 0, stderr = "") {
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  const read = readCommandAnswer({ exit, stdout: bytes(text), stderr: bytes(stderr), event, answers: "strict" });
  return "failed" in read ? read.failed : read.answer;
}
const output = (event: EventName, more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });
const block = { decision: "block", reason: "r" };
const stop = { continue: false, stopReason: "r" };
const cancel = { answer: "cancel", reason: "r" };
const end = { answer: "end", reason: "r" };
const context = { answer: "context", context: "c" };
const FAILED = "E_ANSWER_STRICT";

/** What AstraCode's events and those of its origin make of each answer. */
test.each<[EventName, object | string, unknown]>([
  ["PermissionRequest", output("PermissionRequest", { decision: { behavior: "deny", message: "r" } }), cancel],
  ["PermissionRequest", output("PermissionRequest", { decision: { behavior: "allow" } }), { answer: "allow" }],
  ["PermissionRequest", output("PermissionRequest", { decision: { behavior: "ask" } }), FAILED],
  ["PermissionRequest", output("PermissionRequest", { decision: { behavior: "deny" } }), FAILED],
  [
    "PermissionRequest",
    output("PermissionRequest", { decision: { behavior: "deny", message: "r", interrupt: false } }),
    cancel,
  ],
  [
    "PermissionRequest",
    output("PermissionRequest", { decision: { behavior: "deny", message: "r", interrupt: true } }),
    FAILED,
  ],
  [
    "PermissionRequest",
    output("PermissionRequest", { decision: { behavior: "allow", updatedInput: { command: "x" } } }),
    FAILED,
  ],
  ["PermissionRequest", block, FAILED],
  ["PermissionRequest", stop, FAILED],
  ["PostToolUse", block, cancel],
  ["PostToolUse", stop, cancel],
  ["PostToolUse", output("PostToolUse", { additionalContext: "c" }), context],
  ["PostToolUse", output("PostToolUse", { updatedToolOutput: "x" }), FAILED],
  ["PostToolUse", output("PostToolUse", { updatedMCPToolOutput: "x" }), FAILED],
  ["UserPromptSubmit", block, cancel],
  ["UserPromptSubmit", stop, cancel],
  ["UserPromptSubmit", { decision: "block" }, FAILED],
  ["UserPromptSubmit", output("UserPromptSubmit", { additionalContext: "c" }), context],
  ["UserPromptSubmit", "c", context],
  ["SessionStart", stop, cancel],
  ["SessionStart", block, FAILED],
  ["SessionStart", output("SessionStart", { additionalContext: "c" }), context],
  ["SessionStart", "c", context],
  ["SubagentStart", output("SubagentStart", { additionalContext: "c" }), context],
  ["SubagentStart", block, FAILED],
  ["Stop", block, cancel],
  ["Stop", stop, end],
  ["Stop", { ...block, ...stop }, end],
  ["Stop", "not yet", FAILED],
  ["Stop", output("Stop", { additionalContext: "c" }), FAILED],
  ["SubagentStop", block, cancel],
  ["SubagentStop", stop, end],
  ["SubagentStop", "not yet", FAILED],
  ["PreCompact", stop, cancel],
  ["PreCompact", block, FAILED],
  ["Interrupt", { systemMessage: "m" }, { answer: "continue", shown: "m" }],
  ["Interrupt", stop, FAILED],
  ["SessionEnd", { systemMessage: "m" }, FAILED],
  ["PostToolBatch", block, cancel],
  ["PostToolBatch", output("PostToolBatch", { additionalContext: "c" }), context],
  ["PreModelSwitch", block, cancel],
  ["PreModelSwitch", output("PreModelSwitch", { additionalContext: "c" }), FAILED],
  ["Notification", { systemMessage: "m" }, { answer: "continue", shown: "m" }],
  ["Notification", block, FAILED],
  ["host.stage", block, cancel],
  ["host.stage", { answer: "cancel", reason: "r" }, FAILED],
])("%s: %p", (event, stdout, want) => {
  const said = strict(event, stdout);
  if (typeof want === "string") expect(said).toBe(want as never);
  else expect(said).toMatchObject(want as object);
});

describe("exit 2", () => {
  const acts: EventName[] = ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop"];
  test.each(acts)("acts on %s with a reason on stderr", (event) => {
    expect(strict(event, "", 2, "r")).toEqual({ answer: "cancel", reason: "r" });
    expect(strict(event, "", 2)).toBe("E_ANSWER_STRICT_STDERR");
  });

  test.each<EventName>(["SessionStart", "SubagentStop", "PreCompact", "PostToolBatch", "SessionEnd", "custom.x"])(
    "says nothing on %s",
    (event) => expect(strict(event, "", 2, "r")).toBe(FAILED),
  );
});
