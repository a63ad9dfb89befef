import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EVENT_NAMES, type EventName, eventRow } from "../event.ts";
import { readCommandAnswer, readModuleAnswer } from "./answer-parser.ts";
import { ANSWER_TABLE, type OutputKind } from "./answer-table.ts";
import { commandOutput, MAX_STDOUT_BYTES } from "./command-output.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
type Over = { stderr?: string; event?: EventName; strict?: boolean; cut?: boolean };
function read(exit: number | { signal: string }, stdout: string | Uint8Array | object, over: Over = {}) {
  const text =
    typeof stdout === "string" ? bytes(stdout) : stdout instanceof Uint8Array ? stdout : bytes(JSON.stringify(stdout));
  return readCommandAnswer({
    exit,
    stdout: text,
    stderr: bytes(over.stderr ?? ""),
    event: over.event ?? "PreToolUse",
    answers: over.strict ? "strict" : "lenient",
    handler: "@a/b#c",
    ...(over.cut ? { stdoutCut: true } : {}),
  });
}
const said = (...args: Parameters<typeof read>) => {
  const result = read(...args);
  return "failed" in result ? result.failed : result.answer;
};
const pre = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

test.each(EVENT_NAMES.filter((event) => eventRow(event).kind === "notice"))(
  "%s: exit 2 is no cancel where nobody waits, but a failure that says what was written",
  (event) => {
    const read2 = read(2, "", { event, stderr: "python3: can't open file '/x.py'" });
    expect(read2).toEqual({ failed: "E_ANSWER_EXIT", detail: "exit 2: python3: can't open file '/x.py'" });
  },
);

describe("exit 0", () => {
  test.each([
    ["nothing", "", { answer: "continue" }],
    ["blanks", " \n", { answer: "continue" }],
    ["{}", "{}", { answer: "continue" }],
    ["block", { decision: "block", reason: "r" }, { answer: "cancel", reason: "r" }],
    ["deny", { decision: "deny", reason: "r" }, { answer: "cancel", reason: "r" }],
    ["approve", { decision: "approve", reason: "r" }, { answer: "allow", reason: "r" }],
    [
      "permission deny",
      pre({ permissionDecision: "deny", permissionDecisionReason: "r" }),
      { answer: "cancel", reason: "r" },
    ],
    [
      "permission ask",
      pre({ permissionDecision: "ask", permissionDecisionReason: "r" }),
      { answer: "ask", reason: "r" },
    ],
    [
      "allow with a rewrite",
      pre({ permissionDecision: "allow", permissionDecisionReason: "r", updatedInput: { command: "ls" } }),
      { answer: "allow", reason: "r", fields: { tool_input: { command: "ls" } } },
    ],
    [
      "rewrite",
      pre({ updatedInput: { command: "ls" } }),
      { answer: "patch", fields: { tool_input: { command: "ls" } } },
    ],
    ["context", pre({ additionalContext: "c" }), { answer: "context", context: "c" }],
    ["continue true", { continue: true }, { answer: "continue" }],
    ["continue false", { continue: false, stopReason: "r" }, { answer: "cancel", reason: "r" }],
    ["a message", { systemMessage: "m", suppressOutput: true }, { answer: "continue", shown: "m" }],
    ["behavior", pre({ decision: { behavior: "deny", message: "r" } }), { answer: "cancel", reason: "r" }],
    [
      "two that agree",
      { decision: "block", reason: "a", ...pre({ permissionDecision: "deny" }) },
      { answer: "cancel", reason: "a" },
    ],
    [
      "deny beside allow",
      { decision: "approve", ...pre({ permissionDecision: "deny" }), reason: "r" },
      { answer: "cancel", reason: "r" },
    ],
    ["plain continue", { answer: "continue" }, { answer: "continue" }],
    ["plain cancel", { answer: "cancel", reason: "r" }, { answer: "cancel", reason: "r" }],
    [
      "plain patch",
      { answer: "patch", fields: { tool_input: { a: 1 } } },
      { answer: "patch", fields: { tool_input: { a: 1 } } },
    ],
    ["plain ask", { answer: "ask", reason: "r" }, { answer: "ask", reason: "r" }],
    ["plain allow", { answer: "allow", reason: "r" }, { answer: "allow", reason: "r" }],
    ["plain context", { answer: "context", context: "c" }, { answer: "context", context: "c" }],
    ["plain end, where nothing can end", { answer: "end", reason: "r" }, { answer: "cancel", reason: "r" }],
    ["an empty nested object", { hookSpecificOutput: {} }, { answer: "continue" }],
    [
      "null texts",
      { decision: "block", reason: null, systemMessage: null },
      { answer: "cancel", reason: "@a/b#c refused this and gave no reason" },
    ],
    [
      "a deny with an unknown field inside",
      pre({ permissionDecision: "deny", permissionDecisionReason: "r", systemMessage: "m" }),
      { answer: "cancel", reason: "r" },
    ],
    [
      "a deny with a misspelt decision",
      { decision: "block", reason: "r", decison: "x" },
      { answer: "cancel", reason: "r" },
    ],
    [
      "a deny of another event",
      { decision: "block", reason: "r", hookSpecificOutput: { hookEventName: "Stop" } },
      { answer: "cancel", reason: "r" },
    ],
    [
      "the event by its other name",
      {
        hookSpecificOutput: { hookEventName: "BeforeTool", permissionDecision: "deny", permissionDecisionReason: "r" },
      },
      { answer: "cancel", reason: "r" },
    ],
    ["a byte order mark", '\ufeff{"decision":"block","reason":"r"}', { answer: "cancel", reason: "r" }],
    ["text", "all fine", { answer: "continue", printed: "all fine" }],
    ["text that is a JSON string", '"deny"', { answer: "continue", printed: '"deny"' }],
    ["a last line", 'checking…\n{"decision":"deny","reason":"r"}\n', { answer: "cancel", reason: "r" }],
    ["a last line that allows", 'checking…\n{"decision":"allow","reason":"r"}', { answer: "allow", reason: "r" }],
    ["a deny and chatter after it", '{"decision":"deny","reason":"r"}\nbye', { answer: "cancel", reason: "r" }],
    [
      "a deny in the second of two objects",
      '{"continue":true}\n{"decision":"deny","reason":"r"}',
      { answer: "cancel", reason: "r" },
    ],
    ["a reason without a decision", { reason: "fine" }, { answer: "continue" }],
  ])("%s", (_, stdout, want) => expect(said(0, stdout)).toEqual(want as never));

  test.each([
    ["an array", "[]", "E_ANSWER_ARRAY"],
    ["a null decision", { decision: null }, "E_ANSWER_VALUE"],
    ["a misspelt decision alone", { decison: "block" }, "E_ANSWER_UNKNOWN"],
    ["a misspelt decision", { decison: "block", reason: "r" }, "E_ANSWER_PLACE"],
    ["a misplaced decision", { permissionDecision: "deny", reason: "r" }, "E_ANSWER_PLACE"],
    ["a decision nested wrongly", pre({ continue: false }), "E_ANSWER_PLACE"],
    ["another host's decision", { cancel: true, reason: "r" }, "E_ANSWER_PLACE"],
    ["a duplicate key", '{"decision":"allow","decision":"block"}', "E_ANSWER_DUPLICATE_KEY"],
    [
      "bytes that are no text",
      Uint8Array.from([...bytes('{"decision":"bl'), 0xff, ...bytes('ock"}')]),
      "E_ANSWER_NOT_UTF8",
    ],
    ["a value outside the enum", pre({ permissionDecision: "block" }), "E_ANSWER_VALUE"],
    ["a quoted false", { continue: "false" }, "E_ANSWER_VALUE"],
    ["a prototype's name as a value", { decision: "constructor" }, "E_ANSWER_VALUE"],
    ["a text where an object stands", pre({ decision: "deny" }), "E_ANSWER_VALUE"],
    [
      "another event",
      { hookSpecificOutput: { hookEventName: "PostToolUse", permissionDecision: "deny" } },
      "E_ANSWER_EVENT",
    ],
    ["two decisions", { decision: "approve", ...pre({ permissionDecision: "ask" }) }, "E_ANSWER_DISAGREE"],
    ["an unknown object", { hello: 1 }, "E_ANSWER_UNKNOWN"],
    ["an unknown nested object", { hookSpecificOutput: { hello: 1 } }, "E_ANSWER_UNKNOWN"],
    ["broken JSON", '{"decision":"block"', "E_ANSWER_NOT_JSON"],
    ["an object over several lines after text", 'x\n{\n"decision":"deny"\n}', "E_ANSWER_NOT_JSON"],
    ["a patch of nothing", pre({ updatedInput: {} }), "E_ANSWER_PATCH_EMPTY"],
    ["a patch without fields", { answer: "patch" }, "E_ANSWER_PATCH_EMPTY"],
    ["a patch of a field that isn't patchable", { answer: "patch", fields: { cwd: "/" } }, "E_ANSWER_PATCH_FIELD"],
    ["an output patched before there is one", pre({ updatedToolOutput: "x" }), "E_ANSWER_PATCH_FIELD"],
    ["a patch that is a text", pre({ updatedInput: "ls" }), "E_ANSWER_VALUE"],
    ["very deep JSON", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, "E_ANSWER_TOO_LARGE"],
  ] as const)("%s: failed", (_, stdout, code) => expect(said(0, stdout)).toBe(code));

  test("what was cut can't be read", () => {
    expect(said(0, { decision: "approve" }, { cut: true })).toBe("E_ANSWER_TOO_LARGE");
    expect(said(0, new Uint8Array(MAX_STDOUT_BYTES + 1))).toBe("E_ANSWER_TOO_LARGE");
  });

  test("a result is replaced after the tool only", () => {
    const answer = { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "x" } };
    expect(said(0, answer, { event: "PostToolUse" })).toEqual({ answer: "patch", fields: { tool_response: "x" } });
  });

  test.each([
    ["unknown fields", { decision: "block", reason: "r", hello: 1 }, "unknown fields: hello"],
    [
      "no event name",
      { hookSpecificOutput: { permissionDecision: "deny" } },
      "hookSpecificOutput without hookEventName",
    ],
    ["text before", 'x\n{"decision":"block"}', "stdout holds more than the answer"],
  ])("%s are noted", (_, stdout, note) => {
    const result = read(0, stdout);
    expect("notes" in result ? result.notes : []).toContain(note);
  });
});

describe("exit 2 cancels", () => {
  test.each([
    ["the JSON's reason first", { decision: "block", reason: "r" }, "e", "r"],
    ["stderr for a deny without one", { decision: "block" }, "e", "e"],
    ["stderr before stdout", "o", "e", "e"],
    ["stdout", "o", "", "o"],
    ["a sentence that names the handler", "", "", "@a/b#c refused this and gave no reason"],
    ["whatever an allow says", { decision: "allow", reason: "fine" }, "e", "e"],
    ["broken JSON beside it", "{", "e", "e"],
    ["an array beside it", "[]", "", "[]"],
  ])("%s", (_, stdout, stderr, reason) => expect(said(2, stdout, { stderr })).toEqual({ answer: "cancel", reason }));

  test("cut output changes nothing", () =>
    expect(said(2, "", { cut: true, stderr: "e" })).toEqual({ answer: "cancel", reason: "e" }));
});

describe("other ends", () => {
  test.each([
    ["exit 1", 1, "", "E_ANSWER_EXIT"],
    ["exit 127", 127, "", "E_ANSWER_EXIT"],
    ["exit 1 with an allow", 1, { decision: "approve" }, "E_ANSWER_EXIT"],
    ["exit 1 with a patch", 1, pre({ updatedInput: { command: "x" } }), "E_ANSWER_EXIT"],
    ["exit 1 with text", 1, "no", "E_ANSWER_EXIT"],
    ["exit -1", -1, "", "E_ANSWER_EXIT"],
    ["a signal", { signal: "SIGKILL" }, "", "E_ANSWER_SIGNAL"],
  ])("%s: failed", (_, exit, stdout, code) => expect(said(exit, stdout)).toBe(code as never));

  test.each([1, 127, { signal: "SIGSEGV" }])("a deny before %p still cancels", (exit) => {
    expect(said(exit, { decision: "block", reason: "r" })).toEqual({ answer: "cancel", reason: "r" });
  });

  test("the failure tells the first line of stderr, and the last, which names the error in a traceback", () => {
    const detail = (stderr: string) => read(1, "", { stderr });
    expect(detail("\njq: command not found\n")).toEqual({
      failed: "E_ANSWER_EXIT",
      detail: "exit 1: jq: command not found",
    });
    expect(detail('Traceback (most recent call last):\n  File "g.py", line 3\nValueError: no\n\n')).toEqual({
      failed: "E_ANSWER_EXIT",
      detail: "exit 1: Traceback (most recent call last): … ValueError: no",
    });
  });
});

describe("strict", () => {
  const strict = (exit: number, stdout: string | object, over: Over = {}) =>
    said(exit, stdout, { ...over, strict: true });

  test.each([
    ["block", { decision: "block", reason: "r" }, {}, { answer: "cancel", reason: "r" }],
    ["deny", pre({ permissionDecision: "deny", permissionDecisionReason: "r" }), {}, { answer: "cancel", reason: "r" }],
    ["nothing", "", {}, { answer: "continue" }],
    ["text", "hello", {}, { answer: "continue", printed: "hello" }],
    [
      "context after the tool",
      { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "c" } },
      { event: "PostToolUse" },
      { answer: "context", context: "c" },
    ],
    [
      "a stop after the tool",
      { continue: false, stopReason: "r" },
      { event: "PostToolUse" },
      { answer: "cancel", reason: "r" },
    ],
  ] as const)("%s", (_, stdout, over, want) => expect(strict(0, stdout, over)).toEqual(want as never));

  test.each([
    ["allow", pre({ permissionDecision: "allow" })],
    ["ask", pre({ permissionDecision: "ask", permissionDecisionReason: "r" })],
    ["a rewrite", pre({ updatedInput: { command: "x" } })],
    ["context", pre({ additionalContext: "c" })],
    ["continue false", { continue: false }],
    ["stopReason", { stopReason: "x" }],
    ["suppressOutput", { suppressOutput: true }],
    ["an unknown field", { decision: "block", reason: "r", x: 1 }],
    ["decision deny", { decision: "deny", reason: "r" }],
    ["a block without a reason", { decision: "block", reason: " " }],
    ["a reason without a decision", { reason: "r" }],
    ["no event name", { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "r" } }],
    ["the plain form", { answer: "cancel", reason: "r" }],
    ["text before the object", 'x\n{"decision":"block","reason":"r"}'],
  ])("%s is failed", (_, stdout) => expect(strict(0, stdout)).toBe("E_ANSWER_STRICT"));

  test("exit 2 needs a reason on stderr, and an event where it acts", () => {
    expect(strict(2, "")).toBe("E_ANSWER_STRICT_STDERR");
    expect(strict(2, "", { stderr: "e" })).toEqual({ answer: "cancel", reason: "e" });
    expect(strict(2, "", { stderr: "e", event: "SessionEnd" })).toBe("E_ANSWER_STRICT");
  });
});

describe("modules", () => {
  test.each([
    [undefined, { answer: "continue" }],
    [{}, { answer: "continue" }],
    [
      { answer: "cancel", reason: "r" },
      { answer: "cancel", reason: "r" },
    ],
    [
      { answer: "ask", reason: "r", fields: undefined },
      { answer: "ask", reason: "r" },
    ],
    [
      { decision: "block", reason: "r" },
      { answer: "cancel", reason: "r" },
    ],
  ])("%p", (value, want) => {
    const result = readModuleAnswer(value, "PreToolUse");
    expect("failed" in result ? result.failed : result.answer).toEqual(want as never);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  test.each([
    [null, "E_ANSWER_VALUE"],
    ["cancel", "E_ANSWER_VALUE"],
    [() => 1, "E_ANSWER_VALUE"],
    [[], "E_ANSWER_ARRAY"],
    [cycle, "E_ANSWER_NOT_JSON"],
    [1n, "E_ANSWER_NOT_JSON"],
    [{ hello: 1 }, "E_ANSWER_UNKNOWN"],
    [{ answer: "nope" }, "E_ANSWER_VALUE"],
    [{ answer: "allow", ok: false }, "E_ANSWER_PLACE"],
  ])("%p: failed", (value, code) => {
    const result = readModuleAnswer(value, "PreToolUse");
    expect("failed" in result ? result.failed : result.answer).toBe(code as never);
  });
});

test("every kind of output has a row for every end", () => {
  const kinds: OutputKind[] = [
    "empty",
    "object",
    "last-line",
    "text",
    "unknown-object",
    "array",
    "broken",
    "duplicate-key",
    "not-utf8",
    "too-large",
  ];
  for (const exit of ["0", "2", "other", "signal"] as const)
    for (const kind of kinds)
      expect(
        ANSWER_TABLE.some(
          (row) =>
            (row.exit === "any" || row.exit === exit) &&
            (row.stdout === "any" || (typeof row.stdout !== "string" && row.stdout.includes(kind))),
        ),
      ).toBe(true);
});

describe("properties", () => {
  const exit = fc.oneof(
    fc.integer({ min: -1, max: 255 }),
    fc.record({ signal: fc.constantFrom("SIGKILL", "SIGTERM") }),
  );
  const event = fc.constantFrom<EventName>(...EVENT_NAMES, "custom.x", "host.stage");
  const answers = fc.constantFrom<"lenient" | "strict">("lenient", "strict");
  const deny = fc.constantFrom(
    { decision: "block", reason: "r" },
    { decision: "deny" },
    pre({ permissionDecision: "deny", permissionDecisionReason: "r" }),
    { continue: false },
    { answer: "cancel", reason: "r" },
    { answer: "end", reason: "r" },
  );

  test("any bytes have a result", () => {
    fc.assert(
      fc.property(exit, fc.uint8Array(), fc.uint8Array(), event, answers, (end, stdout, stderr, name, mode) => {
        const result = readCommandAnswer({ exit: end, stdout, stderr, event: name, answers: mode });
        return "failed" in result || result.answer.answer !== undefined;
      }),
    );
    fc.assert(
      fc.property(exit, fc.json(), event, (end, stdout, name) => {
        readCommandAnswer({ exit: end, stdout: bytes(stdout), stderr: bytes(""), event: name, answers: "lenient" });
        commandOutput(bytes(stdout), false);
        readModuleAnswer(JSON.parse(stdout), name);
      }),
    );
  });

  test("a well-formed deny cancels, whatever the end and whatever else it says", () => {
    const more = fc.dictionary(
      fc.constantFrom("systemMessage", "x", "decison", "stopReason", "cancel"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(exit, deny, more, event, (end, object, extra, name) => {
        const isStop = name === "Stop" || name === "SubagentStop";
        const isEnd = "continue" in object || ("answer" in object && object.answer === "end");
        if (isStop && isEnd) return true; // an end: the next property
        const named = JSON.parse(JSON.stringify({ ...extra, ...object }).replace('"PreToolUse"', JSON.stringify(name)));
        const result = read(end, named, { event: name });
        return !("failed" in result) && result.answer.answer === "cancel" && result.answer.reason !== "";
      }),
    );
  });

  test("where there is something to end, an end wins over a block", () => {
    const end = fc.constantFrom({ continue: false, stopReason: "r" }, { answer: "end", reason: "r" });
    const block = fc.constantFrom({}, { decision: "block", reason: "no" });
    fc.assert(
      fc.property(end, block, fc.constantFrom<EventName>("Stop", "SubagentStop"), (ends, blocks, name) => {
        expect(said(0, { ...blocks, ...ends }, { event: name })).toMatchObject({ answer: "end" });
      }),
    );
  });

  test("only exit 0 lets an allow or a patch through", () => {
    const open = fc.constantFrom(
      { decision: "approve" },
      pre({ permissionDecision: "allow" }),
      pre({ updatedInput: { command: "x" } }),
    );
    fc.assert(
      fc.property(
        exit.filter((end) => end !== 0),
        open,
        (end, object) => {
          const result = read(end, object);
          return "failed" in result || result.answer.answer === "cancel";
        },
      ),
    );
  });
});
