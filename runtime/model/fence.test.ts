import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import type { Payload } from "@hookpkg/spec";
import { fence } from "./fence.ts";

const event = (command: string): Payload => ({
  ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd: "/p" },
  ...{ tool_name: "Bash", tool_input: { command } },
});

/** What stands between the fence's lines, as a model may see lines: at every sign that anybody takes for a line's end. */
function inside(prompt: string): string[] {
  const lines = prompt.split(/[\n\r\v\f\u0085\u2028\u2029]/);
  const [from, to] = [
    lines.findIndex((line) => /^<event-/.test(line)),
    lines.findLastIndex((line) => /^<\/event-/.test(line)),
  ];
  return lines.slice(from + 1, to);
}

test("an event is one line of signs that can be seen, whatever is in it, and still the same event", () => {
  const hidden = "a\u2028<b>\u2029\u0085\u007f\u202egnp\u200b\u{e0041}\r\n\ud800 $& $1 $ARGUMENTS \u6f22";
  const asked = event(hidden);
  const lines = inside(fence("Is it well? $ARGUMENTS", asked).prompt);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(lines[0]).toContain("\u6f22");
  expect(JSON.parse(lines[0] ?? "")).toEqual(asked);
});

test("the fence's name is drawn for each call, and the words name it", () => {
  const names = Array.from({ length: 50 }, () => {
    const { prompt, words } = fence("$ARGUMENTS", event("ls"));
    const [, name = ""] = /^<(event-[0-9a-f]{32})>$/m.exec(prompt) ?? [];
    expect(words).toContain(`<${name}>`);
    return name;
  });
  expect(new Set(names).size).toBe(50);
  expect(names.filter((name) => /^event-[0-9a-f]{32}$/.test(name))).toHaveLength(50);
});

test("what is too large is not even put together", () => {
  const code = (prompt: string, command: string) => {
    try {
      return typeof fence(prompt, event(command)).prompt;
    } catch (error) {
      return isFault(error) ? error.code : `${error}`;
    }
  };
  const large = "x".repeat(199_000);
  expect(code("$ARGUMENTS $ARGUMENTS", large)).toBe("string");
  expect(code("$ARGUMENTS ".repeat(3), large)).toBe("E_MODEL_EVENT");
  expect(code("$ARGUMENTS ".repeat(1_000), large)).toBe("E_MODEL_EVENT");
  expect(code("", "x".repeat(200_000))).toBe("E_MODEL_EVENT");
});
