import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandAnswer, readModuleAnswer } from "./answer/answer-parser.ts";
import { checkMay } from "./answer/declared-answer.ts";
import type { Answer, AnswerKind } from "./answer.ts";
import { EVENT_NAMES, type EventName, eventRow } from "./event.ts";
import { answerKinds, answerSchema } from "./event-answer.ts";
import { generated } from "./generate-schemas.ts";

const ALL: EventName[] = [...EVENT_NAMES, "custom.x", "host.stage"];
const KINDS: AnswerKind[] = ["continue", "cancel", "patch", "ask", "allow", "context", "end"];
const VALUES: Readonly<Record<string, unknown>> = { tool_input: { command: "ls" }, prompt: "p", error: "e" };

/** Every way to say one thing at one event. */
function ways(kind: AnswerKind, event: EventName): object[] {
  const row = eventRow(event);
  const fields = Object.fromEntries(row.patchable.map((field) => [field, VALUES[field] ?? "x"]));
  const nested = (more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });
  const permission = event === "PreToolUse" || event === "PreSkillShellCommand";
  const verdict = (permissionDecision: string, behavior?: string) => [
    ...(permission ? [nested({ permissionDecision, permissionDecisionReason: "r" })] : []),
    ...(event === "PermissionRequest" && behavior ? [nested({ decision: { behavior, message: "r" } })] : []),
  ];
  const isStop = event === "Stop" || event === "SubagentStop";
  const stop = { continue: false, stopReason: "r" };
  switch (kind) {
    case "continue":
      return [{ answer: "continue" }, { continue: true }, { systemMessage: "m" }];
    case "cancel":
      return [
        { answer: "cancel", reason: "r" },
        { decision: "block", reason: "r" },
        ...(isStop ? [] : [stop]),
        ...verdict("deny", "deny"),
      ];
    case "end":
      return [{ answer: "end", reason: "r" }, ...(isStop ? [stop] : [])];
    case "patch":
      return [
        { answer: "patch", fields },
        ...(row.patchable.includes("tool_input") ? [nested({ updatedInput: VALUES.tool_input })] : []),
        ...(row.patchable.includes("tool_response") ? [nested({ updatedToolOutput: "x" })] : []),
      ];
    case "ask":
      return [{ answer: "ask", reason: "r" }, ...verdict("ask")];
    case "allow":
      return [{ answer: "allow", reason: "r" }, { decision: "approve", reason: "r" }, ...verdict("allow", "allow")];
    case "context":
      return [{ answer: "context", context: "c" }, { context: "c" }, nested({ additionalContext: "c" })];
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const command = (event: EventName, stdout: string, exit = 0, stderr = "") =>
  readCommandAnswer({ exit, stdout: bytes(stdout), stderr: bytes(stderr), event, answers: "lenient" });
const may = (answer: Answer, event: EventName) => {
  const read = checkMay(answer, eventRow(event).may, event);
  return "failed" in read ? read.failed : read.answer.answer;
};

describe.each(ALL)("%s", (event) => {
  const possible = answerKinds(eventRow(event));
  const isStop = event === "Stop" || event === "SubagentStop";

  test.each(KINDS.filter((kind) => possible.includes(kind)))("can be answered with %s", (kind) => {
    for (const way of ways(kind, event)) {
      expect(answerSchema(event).safeParse(way)).toMatchObject({ success: true });
      // Where there is nothing to end, an end is a refusal.
      const want = kind === "end" && !isStop ? "cancel" : kind;
      for (const read of [readModuleAnswer(way, event), command(event, JSON.stringify(way))]) {
        if ("failed" in read) throw new Error(`${JSON.stringify(way)}: ${read.failed} ${read.detail}`);
        expect(read.answer.answer).toBe(want);
        expect(may(read.answer, event)).toBe(want);
        expect(read.notes).toEqual([]);
      }
    }
  });

  test.each(KINDS.filter((kind) => !possible.includes(kind)))("can't be answered with %s", (kind) => {
    const [way = {}] = ways(kind, event);
    expect(answerSchema(event).safeParse(way)).toMatchObject({ success: false });
    const read = readModuleAnswer(way, event);
    const said = "failed" in read ? read.failed : may(read.answer, event);
    // An allow without the right is no opinion; a patch without a field is none at all.
    expect(said).toBe(kind === "allow" ? "continue" : kind === "patch" ? "E_ANSWER_PATCH_EMPTY" : "E_NOT_DECLARED");
  });

  test("what is misspelt or another event's is no answer of its schema", () => {
    const schema = answerSchema(event);
    expect(schema.safeParse({ decison: "block" }).success).toBe(false);
    expect(schema.safeParse({ answer: "nope" }).success).toBe(false);
    expect(schema.safeParse({ hookSpecificOutput: { hookEventName: "Nope", x: 1 } }).success).toBe(false);
    expect(schema.safeParse({ fields: {} }).success).toBe(false);
  });

  test("text, exit 2 and a wrong event's name are read as the table says", () => {
    const isText = ["SessionStart", "UserPromptSubmit", "SubagentStart"].includes(event);
    expect(command(event, "hello")).toMatchObject({
      answer: isText ? { answer: "context", context: "hello" } : { answer: "continue", printed: "hello" },
    });
    const isTold = eventRow(event).kind === "notice";
    expect(command(event, "", 2, "e")).toMatchObject(
      isTold ? { failed: "E_ANSWER_EXIT" } : { answer: { answer: "cancel", reason: "e" } },
    );
    const foreign = { hookSpecificOutput: { hookEventName: "FileChanged_", additionalContext: "c" } };
    expect(command(event, JSON.stringify(foreign))).toMatchObject({ failed: "E_ANSWER_EVENT" });
  });
});

describe("generated schemas", () => {
  const folder = join(import.meta.dir, "schemas");

  test("are those of the events as they are", async () => {
    const files = await generated();
    expect(files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)).sort()).toEqual(readdirSync(folder).sort());
    for (const { path, text } of files)
      expect([path, readFileSync(join(import.meta.dir, "../..", path), "utf8")]).toEqual([path, text]);
  });
});
