import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";

setDefaultTimeout(60_000);

type Found = { host: string; event: string; problems: { kind: string; text: string }[] };

function write(base: string, path: string, value: unknown): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), typeof value === "string" ? value : JSON.stringify(value));
}

const group = (command: string, more: object = {}, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: "command", command, ...more }],
});

/** The hosts' settings lie in a home of their own; hookpkg is asked from a project in it. */
async function hooksIn(settings: Readonly<Record<string, unknown>>) {
  using base = temporaryFolder();
  for (const [path, value] of Object.entries(settings)) write(base.path, path, value);
  const before = readdirSync(base.path).sort();
  const asked = await hookpkgJson(base.path, "hooks", "--host-home", base.path);
  expect(readdirSync(base.path).sort()).toEqual(before);
  const { data } = asked.result as { data: { hooks: Found[]; files: { problem?: string }[]; mods: unknown[] } };
  return { ...data, code: asked.code };
}

const kinds = (hooks: readonly Found[]) => hooks.map(({ problems }) => problems.map(({ kind }) => kind));

test("nothing here: it says so, and needs and makes nothing", async () => {
  using base = temporaryFolder();
  const { out, code } = await hookpkg(base.path, "hooks", "--host-home", base.path);
  expect([out.trim(), code]).toEqual(["no host here has a hook", 0]);
});

test("a sound hook has no problem", async () => {
  const { hooks, code } = await hooksIn({
    ".claude/settings.json": { hooks: { PreToolUse: [group("/bin/true", { timeout: 10 }, "Edit, Write")] } },
  });
  expect([kinds(hooks), code]).toEqual([[[]], 0]);
});

test.each([
  [
    "seconds where a host reads milliseconds",
    ".gemini/settings.json",
    "BeforeTool",
    group("true", { timeout: 30 }),
    "unit",
  ],
  [
    "milliseconds where a host reads seconds",
    ".claude/settings.json",
    "Stop",
    group("true", { timeout: 5000 }),
    "unit",
  ],
  [
    "another host's tool in a matcher",
    ".claude/settings.json",
    "PreToolUse",
    group("true", {}, "run_shell_command"),
    "matcher",
  ],
  ["a list with a comma on Codex", ".codex/hooks.json", "PreToolUse", group("true", {}, "Edit, Write"), "matcher"],
  ["another host's event", ".gemini/settings.json", "PreToolUse", group("true", { timeout: 5000 }), "event"],
  ["exit 1 for a refusal", ".claude/settings.json", "PreToolUse", group("grep -q x || exit 1"), "answer"],
  ["ask on Codex", ".codex/hooks.json", "PreToolUse", group(`echo '{"permissionDecision":"ask"}'`), "answer"],
  ["a program that is not there", ".qwen/settings.json", "PreToolUse", group("/nowhere/guard.sh"), "program"],
  [
    "a script that is not there",
    ".claude/settings.json",
    "PreToolUse",
    group('bash "$CLAUDE_PROJECT_DIR/no.sh"'),
    "program",
  ],
  [
    "a type that a host does not run",
    ".gemini/settings.json",
    "AfterTool",
    { hooks: [{ type: "http", url: "x" }] },
    "form",
  ],
  ["fields that a host drops", ".codex/hooks.json", "PreToolUse", group("true", { onFailure: "block" }), "form"],
] as const)("%s", async (_, path, event, entry, kind) => {
  const { hooks, code } = await hooksIn({ [path]: { hooks: { [event]: [entry] } } });
  expect(hooks.flatMap(({ problems }) => problems.map((one) => one.kind))).toContain(kind);
  expect(code).toBe(1);
});

test("the script behind a command is read, too", async () => {
  const { hooks } = await hooksIn({
    "guard.py": "import sys\nsys.exit(1)\n",
    ".claude/settings.json": { hooks: { PreToolUse: [group("sh guard.py")] } },
  });
  expect(kinds(hooks)).toEqual([["answer"]]);
});

test("a switch in the file, a file that cannot be read, a duplicate", async () => {
  const one = { PreToolUse: [group("true"), group("true")] };
  const { hooks, files } = await hooksIn({
    ".claude/settings.json": { disableAllHooks: true, hooks: one },
    ".codex/config.toml": "hooks = [",
  });
  expect(kinds(hooks)).toEqual([["off"], ["off", "duplicate"]]);
  expect(files.map(({ problem }) => problem !== undefined)).toEqual([false, true]);
});

test("a key beside the hooks voids Codex's hooks.json; a group that is none voids either of its files", async () => {
  const { hooks } = await hooksIn({
    ".codex/hooks.json": { model: "gpt-5", hooks: { PreToolUse: [group("true")] } },
    ".codex/config.toml": '[[hooks.Stop]]\nmatcher = 1\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n',
  });
  expect(kinds(hooks)).toEqual([["off"], ["off"]]);
});

test("plugins' hooks, Codex's tables, and mods that stand before us", async () => {
  const plugin = ".claude/plugins/cache/market/tool/1.0.0";
  const { hooks, mods } = await hooksIn({
    [`${plugin}/hooks/hooks.json`]: { hooks: { Stop: [group("true")] } },
    [`${plugin}/mods/gate.ts`]: 'export function register(on) { on("tool.call", (e, next) => next(e)); }',
    [`${plugin}/mods/bar.ts`]: 'export function register(on) { on("ui.render", () => {}); }',
    ".codex/config.toml":
      'model = "gpt-5"\n[[hooks.PreToolUse]]\nmatcher = "Bash"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "true"\n',
  });
  expect(hooks.map(({ host, event }) => `${host} ${event}`)).toEqual(["claude-code Stop", "codex PreToolUse"]);
  expect(kinds(hooks)).toEqual([[], []]); // `model` stands there by right; in hooks.json it would void the file
  expect(mods).toMatchObject([
    { name: "bar", gates: false },
    { name: "gate", gates: true },
  ]);
});

test("every file of a folder that a host reads whole, by its own rules; one of another host needs no head", async () => {
  const pre = { type: "command", bash: "/bin/true", timeoutSec: 10 };
  const { hooks } = await hooksIn({
    ".copilot/hooks/a.json": { version: 1, hooks: { preToolUse: [{ ...pre, matcher: "Write" }] } },
    ".github/hooks/b.json": { version: 1, hooks: { preToolUse: [{ ...pre, matcher: "bash" }] } },
    ".github/hooks/c.json": { hooks: { preToolUse: [pre] } },
    ".github/hooks/notes.md": "none",
    ".claude/settings.json": { hooks: { PreToolUse: [group("/bin/true", {}, "Bash")] } },
  });
  const copilots = hooks.filter(({ host }) => host === "copilot-cli");
  expect(kinds(copilots).sort()).toEqual([["matcher"], ["off"], [], []].sort());
});
