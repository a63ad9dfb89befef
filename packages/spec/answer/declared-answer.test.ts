import { describe, expect, test } from "bun:test";
import type { Answer, May } from "../answer.ts";
import type { EventName } from "../event.ts";
import { checkMay } from "./declared-answer.ts";

const fields = { tool_input: { command: "ls" } };
const ask = (answer: Answer, may: May[], event: EventName = "PreToolUse") => {
  const read = checkMay(answer, may, event);
  return "failed" in read ? read.failed : read.answer;
};

describe("what a handler may not say is failed", () => {
  test.each([
    [{ answer: "cancel", reason: "r" }, ["ask"]],
    [{ answer: "ask", reason: "r" }, ["cancel"]],
    [{ answer: "patch", fields }, ["cancel"]],
    [{ answer: "context", context: "c" }, ["cancel"]],
    [{ answer: "end", reason: "r" }, ["ask"]],
    [{ answer: "continue", context: "c" }, ["cancel"]],
    [{ answer: "patch", fields, context: "c" }, ["patch"]],
    [{ answer: "allow", reason: "r", fields }, ["cancel"]],
    [{ answer: "allow", reason: "r", fields }, ["allow"]],
  ] as [Answer, May[]][])("%#", (answer, may) => expect(ask(answer, may)).toBe("E_NOT_DECLARED"));

  test("nothing is declared on a notice, whatever the handler was given", () => {
    expect(ask({ answer: "cancel", reason: "r" }, ["cancel"], "SessionEnd")).toBe("E_NOT_DECLARED");
    expect(ask({ answer: "continue" }, [], "SessionEnd")).toEqual({ answer: "continue" });
  });
});

describe("what it may say stands", () => {
  test.each([
    [{ answer: "continue", shown: "s" }, [], { answer: "continue", shown: "s" }],
    [{ answer: "cancel", reason: "r" }, ["cancel"], { answer: "cancel", reason: "r" }],
    [{ answer: "end", reason: "r" }, ["cancel"], { answer: "end", reason: "r" }],
    [{ answer: "allow", reason: "r" }, ["cancel"], { answer: "continue" }],
    [{ answer: "allow", reason: "r", shown: "s" }, ["cancel"], { answer: "continue", shown: "s" }],
    [{ answer: "allow", reason: "r", fields }, ["patch"], { answer: "patch", fields }],
    [{ answer: "allow", reason: "r", context: "c" }, ["context"], { answer: "context", context: "c" }],
    [{ answer: "allow", reason: "r", fields }, ["allow", "patch"], { answer: "allow", reason: "r", fields }],
    [{ answer: "cancel", reason: "r", context: "c" }, ["cancel"], { answer: "cancel", reason: "r" }],
    [{ answer: "ask", reason: "r", fields, context: "c" }, ["ask"], { answer: "ask", reason: "r" }],
    [
      { answer: "ask", reason: "r", fields, context: "c" },
      ["ask", "context"],
      { answer: "ask", reason: "r", context: "c" },
    ],
  ] as [Answer, May[], Answer][])("%#", (answer, may, want) => expect(ask(answer, may)).toEqual(want));
});
