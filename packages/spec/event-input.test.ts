import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { EVENT_NAMES, type EventName, eventRow } from "./event.ts";
import { matchSubjects, type Payload, parsePayload } from "./payload.ts";

const NEEDED = { session_id: "s", transcript_path: "/t", cwd: "/p" };
const CALL = { tool_name: "Bash", tool_input: { command: "ls" } };
const ALL: EventName[] = [...EVENT_NAMES, "custom.x", "host.stage"];

function plain(event: EventName): Record<string, unknown> {
  const call = eventRow(event).matches === "tool" ? CALL : {};
  return { ...NEEDED, hook_event_name: event, ...call, ...(event === "UserPromptSubmit" ? { prompt: "" } : {}) };
}
const code = (value: unknown) => {
  try {
    parsePayload(value);
    return undefined;
  } catch (error) {
    return isFault(error) ? `${error.code} ${String(error.facts.path)}` : String(error);
  }
};

describe("what an event can't do without", () => {
  test.each(ALL)("%s", (event) => {
    const whole = plain(event);
    expect(code(whole)).toBeUndefined();
    for (const field of Object.keys(whole)) {
      const { [field]: _, ...rest } = whole;
      expect(code(rest)).toBe(field === "transcript_path" ? undefined : `E_PAYLOAD ${field}`);
    }
  });

  test.each([
    [null, "E_PAYLOAD hook_event_name"],
    ["PreToolUse", "E_PAYLOAD hook_event_name"],
    [{ ...plain("Stop"), hook_event_name: "stop" }, "E_PAYLOAD hook_event_name"],
    [{ ...plain("Stop"), stop_hook_active: "yes" }, "E_PAYLOAD stop_hook_active"],
    [{ ...plain("SessionStart"), source: 5 }, "E_PAYLOAD source"],
    [{ ...plain("PostToolBatch"), tool_calls: {} }, "E_PAYLOAD tool_calls"],
    [{ ...plain("PreToolUse"), tool_input: [] }, "E_PAYLOAD tool_input"],
    [{ ...plain("PreToolUse"), cwd: "p" }, "E_PAYLOAD cwd"],
  ])("%#", (value, want) => expect(code(value)).toBe(want));
});

test("fields that nobody knows survive, whatever they hold and are called", () => {
  const known = new Set([..."hook_event_name session_id transcript_path cwd".split(" ")]);
  const extra = fc
    .dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "x")), fc.jsonValue())
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name))));
  fc.assert(
    fc.property(fc.constantFrom(...ALL), extra, (event, fields) => {
      const given: unknown = JSON.parse(JSON.stringify({ ...fields, ...plain(event) }));
      if (code(given) !== undefined) return; // a known field of another type
      const once = parsePayload(given);
      expect(JSON.stringify(once)).toBe(JSON.stringify(given));
      expect(parsePayload(JSON.parse(JSON.stringify(once)))).toEqual(once);
    }),
  );
});

test("a payload without a transcript has null", () => {
  const { transcript_path: _, ...rest } = plain("Stop");
  expect(parsePayload(rest).transcript_path).toBeNull();
});

test("every matcher has something to be tried on, when the host sends it", () => {
  for (const event of ALL) {
    const { matches } = eventRow(event);
    const more = matches === null || matches === "tool" ? {} : { [matches]: "x" };
    const subjects = matchSubjects({ ...plain(event), ...more } as Payload);
    expect(subjects.length > 0).toBe(matches !== null);
    if (matches !== null && matches !== "tool") expect(subjects).toContain("x");
  }
});
