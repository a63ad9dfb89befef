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
const refusing = { command: "echo no >&2; exit 2" };

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
