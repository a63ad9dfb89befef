import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program twice, and its sandbox.
setDefaultTimeout(120_000);

/** Guards as people write them: what they refuse at their old host they refuse here, by what each host is measured to do. */
type Guard = { files: Readonly<Record<string, string | object>>; refuses: object; passes?: object };

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
const hooks = (event: string, matcher: string, ...all: readonly object[]) => ({
  hooks: { [event]: [{ matcher, hooks: all.map((one) => ({ type: "command", ...one })) }] },
});
const patch = (path: string) => ({
  tool_name: "apply_patch",
  tool_input: {
    patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`,
    changes: [{ op: "add", path: `/home/dev/work/app/${path}`, content: "x\n" }],
  },
});
const refusing = { command: "echo no >&2; exit 2" };

const NO_RM = "grep -q 'rm -rf' || exit 0; echo no >&2; exit 2";

const GUARDS: Readonly<Record<string, Guard>> = {
  "codex: a condition that it never read": {
    files: { ".codex/hooks.json": hooks("PreToolUse", "Bash", { ...refusing, if: "Bash(git push*)" }) },
    refuses: bash("rm -rf /"),
  },
  "codex: words of an argv that it never read": {
    files: { ".codex/hooks.json": hooks("PreToolUse", "Bash", { ...refusing, args: ["x"] }) },
    refuses: bash("rm -rf /"),
  },
  "gemini-cli: async, which it never read": {
    files: { ".gemini/settings.json": hooks("BeforeTool", "run_shell_command", { ...refusing, async: true }) },
    refuses: bash("rm -rf /"),
  },
  "codex: a line for bash": {
    files: {
      ".codex/hooks.json": hooks("PreToolUse", "Bash", {
        command: "[[ $(jq -r .tool_input.command) =~ rm ]] && { echo 'no' >&2; exit 2; }; exit 0",
      }),
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "codex: a patch, which it tells as a command": {
    files: {
      ".codex/hooks.json": hooks("PreToolUse", "Write", {
        command: "jq -r .tool_input.command | grep -q migrations/ || exit 0; echo no >&2; exit 2",
      }),
    },
    refuses: patch("migrations/1.sql"),
    passes: patch("notes.sql"),
  },
  "codex: a name with a dash, which is an expression": {
    files: { ".codex/hooks.json": hooks("PreToolUse", "mcp__my-server", refusing) },
    refuses: { tool_name: "mcp__my-server__drop", tool_input: {} },
  },
  "gemini-cli: a word in the name of a server's tool": {
    files: { ".gemini/settings.json": hooks("BeforeTool", "delete", refusing) },
    refuses: { tool_name: "mcp__github__delete_repository", tool_input: {} },
  },
  "gemini-cli: any other exit refuses": {
    files: { ".gemini/settings.json": hooks("BeforeTool", "run_shell_command", { command: "echo 'no'; exit 3" }) },
    refuses: bash("rm -rf /"),
  },
  "gemini-cli: an answer on stderr": {
    files: {
      ".gemini/settings.json": hooks("BeforeTool", "run_shell_command", {
        command: `echo '{"decision": "deny", "reason": "no"}' >&2`,
      }),
    },
    refuses: bash("rm -rf /"),
  },
  "gemini-cli: a part of a tool's name": {
    files: {
      ".gemini/settings.json": hooks("BeforeTool", ".*", {
        command: `jq -e '.tool_name | test("shell")' > /dev/null || exit 0; echo no >&2; exit 2`,
      }),
    },
    refuses: bash("rm -rf /"),
    passes: { tool_name: "Read", tool_input: { file_path: "/a" } },
  },
  "qwen-code: an answer on stderr": {
    files: {
      ".qwen/settings.json": hooks("PreToolUse", "run_shell_command", {
        command: `echo '{"decision": "deny", "reason": "no"}' >&2`,
      }),
    },
    refuses: bash("rm -rf /"),
  },
  "codex: its script below what git calls the root": {
    files: {
      ".codex/hooks.json": hooks("PreToolUse", "Bash", {
        command: 'sh "$(git rev-parse --show-toplevel)/.codex/hooks/guard.sh"',
      }),
      ".codex/hooks/guard.sh": NO_RM,
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "claude-code: a place with another for when it is not set": {
    files: {
      ".claude/settings.json": hooks("PreToolUse", "Bash", {
        command: 'sh "${CLAUDE_PROJECT_DIR:-.}"/.claude/hooks/guard.sh',
      }),
      ".claude/hooks/guard.sh": NO_RM,
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "claude-code: a program that another starts": {
    files: {
      ".claude/settings.json": hooks("PreToolUse", "Bash", { command: "LOUD=1 timeout 5 sh scripts/guard.sh" }),
      "scripts/guard.sh": NO_RM,
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "claude-code: a library and a list beside the folder of the script": {
    files: {
      ".claude/settings.json": hooks("PreToolUse", "Bash", { command: "sh .claude/hooks/guard.sh" }),
      ".claude/hooks/guard.sh":
        '. "$(dirname "$0")/../lib/common.sh"\ngrep -qFf "$(dirname "$0")/patterns" || exit 0\nrefuse',
      ".claude/hooks/patterns": "rm -rf",
      ".claude/lib/common.sh": "refuse() { echo no >&2; exit 2; }",
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "claude-code: a list in a part of the plugin that is no hook": {
    files: {
      ".claude-plugin/plugin.json": { name: "listed" },
      "hooks/hooks.json": hooks("PreToolUse", "Bash", { command: "sh ${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh" }),
      "hooks/guard.sh": 'grep -qFf "$CLAUDE_PLUGIN_ROOT/policies/deny.txt" || exit 0; echo no >&2; exit 2',
      "policies/deny.txt": "rm -rf",
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
  "peri: a text in any field": {
    files: {
      "plugin.json": { name: "p" },
      "hooks/hooks.json": hooks("PreToolUse", "Write", { ...refusing, if: "Write(password)" }),
    },
    refuses: { tool_name: "Write", tool_input: { file_path: "/a", content: "password=1" } },
  },
  "claude-code: the same program twice, with other values": {
    files: {
      ".claude/settings.json": hooks(
        "PreToolUse",
        "Bash",
        ...["curl", "rm"].map((WORD) => ({ command: "sh .claude/word.sh", env: { WORD } })),
      ),
      ".claude/word.sh": 'grep -q "$WORD" || exit 0; echo "no $WORD" >&2; exit 2',
    },
    refuses: bash("rm -rf /"),
    passes: bash("ls"),
  },
};

test.each(Object.entries(GUARDS))("%s", async (_, { files, refuses, passes }) => {
  using base = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base.path, "source", path)), { recursive: true });
    writeFileSync(join(base.path, "source", path), typeof text === "string" ? text : JSON.stringify(text));
  }
  const made = await hookpkg(base.path, "new", "made", "--from", "source");
  expect([made.code, made.err]).toEqual([0, ""]);
  const cases = [
    { name: "refused", event: "PreToolUse", input: refuses, want: { answer: "cancel" } },
    ...(passes === undefined
      ? []
      : [{ name: "let through", event: "PreToolUse", input: passes, want: { answer: "continue" } }]),
  ];
  mkdirSync(join(base.path, "made/test/cases"), { recursive: true });
  writeFileSync(join(base.path, "made/test/cases/guard.json"), JSON.stringify(cases));
  const { result } = await hookpkgJson(base.path, "test", "made");
  expect(result).toMatchObject({ ok: true, data: { passed: cases.length, failed: 0 } });
});
