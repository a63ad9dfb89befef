import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { MAX_MATCHER_LENGTH, matcherProblems, matches, parseMatcher } from "./matcher.ts";
import { toolSubjects } from "./tool.ts";

describe("parse", () => {
  test.each([
    [undefined, null],
    ["", null],
    ["  ", null],
    ["*", null],
    ["Bash", { names: ["Bash"] }],
    ["Write|Edit", { names: ["Edit", "Write"] }],
    ["Edit, Write,Edit", { names: ["Edit", "Write"] }],
    ["my-tool", { names: ["my-tool"] }],
    ["Bash|", { names: ["Bash"] }],
    ["B.*h", { re2: "B.*h" }],
    ["^mcp__.*", { re2: "^mcp__.*" }],
    [".*", { re2: ".*" }],
  ])("%p", (text, want) => expect(parseMatcher(text)).toEqual(want));

  test.each(["(?=a)b.", "(", "[", "a{1000}{1000}", "|", `.${"a".repeat(MAX_MATCHER_LENGTH)}`])("refuses %p", (text) => {
    let caught: unknown;
    try {
      parseMatcher(text);
    } catch (error) {
      caught = error;
    }
    expect(isFault(caught, "E_MATCHER_REGEX")).toBe(true);
  });
});

describe("match", () => {
  test.each([
    ["Write", "apply_patch", true],
    ["Edit", "apply_patch", true],
    ["Edit", "MultiEdit", true],
    ["apply_patch", "Write", false],
    ["write_file", "Write", true],
    ["Task", "Agent", true],
    ["run_shell_command", "Bash", true],
    ["bash", "Bash", false],
    ["Bas", "Bash", false],
    ["B.*h", "Bash", true],
    ["^(Edit|Write)$", "apply_patch", true],
    ["ash$|x", "Bash", true],
    ["mcp__github", "mcp__github__list", false],
    ["mcp__github__.*", "mcp__github__list", true],
    ["Bash", "run_shell_command", true],
    ["mcp__linear__create", "mcp__plugin_my_linear__create", true],
    ["mcp__linear__create", "mcp__plugin_linear_linear__create", true],
    ["mcp__linear__create", "mcp__other_linear__create", false],
    ["*", "anything", true],
  ])("%p on %s: %p", (text, tool, want) => expect(matches(parseMatcher(text), toolSubjects(tool))).toBe(want));

  test("the host's own name counts too", () => {
    expect(matches(parseMatcher("bash"), toolSubjects("Bash", "bash"))).toBe(true);
  });

  test("an expression made to be slow is not", () => {
    expect(matches(parseMatcher("(a+)+$"), [`${"a".repeat(50_000)}b`])).toBe(false);
  });
});

describe("names", () => {
  test.each([
    ["bash", "E_MATCHER_TOOL", "Bash"],
    ["EDIT", "E_MATCHER_TOOL", "Edit"],
    ["glob", "E_MATCHER_TOOL", "Glob"],
    ["Bsah", "E_MATCHER_TOOL", "Bash"],
    ["Wirte", "E_MATCHER_TOOL", "Write"],
    ["Writ", "E_MATCHER_TOOL", "Write"],
    ["NotebookEdits", "E_MATCHER_TOOL", "NotebookEdit"],
    ["apply-patch", "E_MATCHER_TOOL", "apply_patch"],
    ["Deploy", "W_MATCHER_TOOL", undefined],
    ["mcp__github", "W_MATCHER_TOOL", "mcp__github__.*"],
  ] as const)("%s: %s", (name, code, suggestion) => {
    const [problem] = matcherProblems(parseMatcher(name), "p");
    expect([problem?.code, problem?.suggestion]).toEqual([code, suggestion]);
  });

  test.each(["Bash", "Write|Edit", "run_shell_command", "Task", "mcp__github__list", "Bash.*", "*"])(
    "%s is fine",
    (text) => {
      expect(matcherProblems(parseMatcher(text), "p")).toEqual([]);
    },
  );
});

test("any text is a matcher or E_MATCHER_REGEX, and parsing is stable under order and blanks", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        return typeof matches(parseMatcher(text), ["Bash"]) === "boolean";
      } catch (error) {
        return isFault(error, "E_MATCHER_REGEX");
      }
    }),
  );
  const name = fc.stringMatching(/^[A-Za-z_-]{1,12}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (names) => {
      const there = parseMatcher(names.join("|"));
      expect(parseMatcher([...names].reverse().join(" , "))).toEqual(there);
      return names.every((one) => matches(there, [one])) && !matches(there, ["0"]);
    }),
  );
});
