import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookpkg, temporaryFolder } from "../author/test-program.ts";
import { approveAll, eventText, must, withStdin } from "../trust/test-project.ts";

// Each case starts the real program several times, and its sandbox.
setDefaultTimeout(120_000);

const SCRIPT = ".claude/hooks/guard.sh";
const SETTINGS = {
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [{ type: "command", command: `bash "$CLAUDE_PROJECT_DIR"/${SCRIPT}`, timeout: 60 }] },
    ],
  },
};

/** Guards that look at their project: imported, approved and asked as Claude Code asks. */
test.each([
  ["its branch", '[ "$(git branch --show-current)" = main ] || exit 0; echo "not on main" >&2; exit 2'],
  ["what is staged", 'git diff --cached --name-only | grep -q secret || exit 0; echo "a secret" >&2; exit 2'],
  ["a file of it", '[ -f secret.txt ] || exit 0; echo "a secret" >&2; exit 2'],
  [
    "it, and not what its git would start",
    'git status >/dev/null; [ -e /tmp/started ] && exit 0; echo "nothing started" >&2; exit 2',
  ],
])("a guard that looks at %s refuses as it did", async (_, script) => {
  using base = temporaryFolder();
  chmodSync(base.path, 0o755); // root's handlers are another user
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base.path, path)), { recursive: true });
    writeFileSync(join(base.path, path), text);
  };
  write(".claude/settings.json", JSON.stringify(SETTINGS));
  write(SCRIPT, `cat >/dev/null\n${script}\n`);
  write("secret.txt", "");
  for (const words of [
    ["init", "-q", "-b", "main"],
    ["config", "core.fsmonitor", "touch /tmp/started; false"],
    ["-c", "core.fsmonitor=false", "add", "secret.txt"],
  ])
    expect(Bun.spawnSync(["git", ...words], { cwd: base.path }).exitCode).toBe(0);
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "new", "made", "--from", "."));
  await must(hookpkg(base.path, "install", "./made"), 3);
  await approveAll(base.path);
  const run = ["run", "claude-code", "--project", base.path];
  const { out } = await withStdin(base.path, run, { stdin: eventText(base.path, "git push origin main") });
  expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});
