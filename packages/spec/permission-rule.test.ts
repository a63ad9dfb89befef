import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Payload } from "./payload.ts";
import { parsePermissionRule, permits, wild } from "./permission-rule.ts";
import { hookShape } from "./tool.ts";

const call = (tool_name: string, input: Record<string, unknown>): Payload => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  transcript_path: null,
  cwd: "/p",
  tool_name,
  tool_input: hookShape(tool_name, input, "/p").input,
});
const asks = (rule: string, payload: Payload): boolean => {
  const parsed = parsePermissionRule(rule);
  return parsed !== undefined && permits(parsed, payload);
};

test.each([
  ["Bash(git push*)", { tool: "Bash", pattern: "git push*" }],
  [" Bash ", { tool: "Bash", pattern: "*" }],
  ["Bash(echo (x))", { tool: "Bash", pattern: "echo (x)" }],
  ["mcp__github__*", { tool: "mcp__github__*", pattern: "*" }],
])("parses %p", (text, want) => expect(parsePermissionRule(text)).toEqual(want));

test.each(["", "(x)", "Bash(", "Bash()", "Bash( )", "B*(x)", "Bash git", "Read(~/x)", `Bash(${"x".repeat(500)})`])(
  "refuses %p",
  (text) => expect(parsePermissionRule(text)).toBeUndefined(),
);

const patch = "*** Begin Patch\n*** Update File: lib/a.ts\n*** Move to: src/b.ts\n+x\n*** End Patch";

test.each([
  ["Bash(git push*)", call("Bash", { command: "git push --force" }), true],
  ["Bash(git push*)", call("Bash", { command: "cd x && A=1 git  push" }), true],
  ["Bash(git push*)", call("Bash", { command: "echo $(git push)" }), true],
  ["Bash(git push:*)", call("Bash", { command: "git push origin" }), true],
  ["Bash(git push*)", call("Bash", { command: "git pull" }), false],
  ["Bash(ls)", call("Bash", { command: "ls -l" }), false],
  ["Write(src/**)", call("Write", { file_path: "src/a/b.ts", content: "" }), true],
  ["Write(src/**)", call("Write", { file_path: "/p/src/.hidden", content: "" }), true],
  ["Write(src/*)", call("Write", { file_path: "src/a/b.ts", content: "" }), false],
  ["Write(src/**)", call("Write", { file_path: "src/../lib/b.ts", content: "" }), false],
  ["Write(**/*.env)", call("Write", { file_path: ".env", content: "" }), true],
  ["Write(/etc/**)", call("Write", { file_path: "/etc/hosts", content: "" }), true],
  ["Write(//etc/)", call("Write", { file_path: "/etc/hosts", content: "" }), true],
  ["Write(src/**)", call("Edit", { file_path: "src/a", old_string: "", new_string: "" }), false],
  ["Write(src/**)", call("apply_patch", { patch }), true],
  ["Edit(docs/**)", call("apply_patch", { patch }), false],
  ["Edit(docs/**)", call("apply_patch", { patch: "not a patch" }), true],
  ["WebFetch(domain:example.com)", call("WebFetch", { url: "https://a.example.com/x" }), true],
  ["WebFetch(domain:example.com)", call("WebFetch", { url: "https://notexample.com/x" }), false],
  ["mcp__github__*", call("mcp__github__list", {}), true],
  ["mcp__github__list(*secret*)", call("mcp__github__list", { a: ["secret"] }), true],
  ["Agent(SUB*)", call("Agent", { prompt: "SUBTASK" }), true],
  ["Task", call("Agent", { prompt: "x" }), true],
])("%s, case %#", (rule, payload, want) => expect(asks(rule, payload)).toBe(want));

test.each([
  ...[
    "{ git push; }",
    "if true; then git push; fi",
    "! git push",
    "for i in 1; do git push; done",
    "while git push; do :; done",
  ],
  ...[
    '"git" push',
    "g''it push",
    "\\git push",
    "git\\\n push",
    'A="x y" git push',
    "A=$(x) git push",
    "$(echo git) push",
  ],
  ...[">x git push", "$GIT push", "g?t push", "{git,push}", "time git push", "/usr/bin/git push", "git\tpush"],
  ...[
    "env git push",
    "sudo git push",
    "/usr/bin/env git push",
    "command git push",
    "bash -c 'git push'",
    "xargs git push",
  ],
])("a push that a shell would run: %s", (command) =>
  expect(asks("Bash(git push*)", call("Bash", { command }))).toBe(true),
);

test.each([
  "git pull",
  "ls -la src && git status",
  "A=1 npm run test:unit",
  "cat a.txt | sort | uniq -c",
  "(cd x; make)",
])("a line that is read for certain and is no push: %s", (command) =>
  expect(asks("Bash(git push*)", call("Bash", { command }))).toBe(false),
);

test("a wildcard agrees with the expression it means", () => {
  const sign = fc.constantFrom("a", "b", "*", "?");
  fc.assert(
    fc.property(
      fc.string({ unit: sign, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 }),
      (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", "[ab]*").replaceAll("?", "[ab]")}$`);
        return wild(pattern, text) === expression.test(text);
      },
    ),
  );
});
