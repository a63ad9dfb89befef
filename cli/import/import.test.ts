import { expect, test } from "bun:test";
import { join } from "node:path";
import type { PackageFile } from "@hookpkg/archive";
import { type PackageName, packageProblems } from "@hookpkg/spec";
import { importFrom } from "./import.ts";

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures", "import");

async function imported(name: string, more: { host?: string; path?: string } = {}) {
  const made = await importFrom({
    ...{ from: join(FIXTURES, more.path ?? name), folder: `/x/${name}` },
    ...{ host: more.host, name: undefined as PackageName | undefined },
  });
  const text = (path: string) => new TextDecoder().decode(made.files.find((file) => file.path === path)?.bytes);
  return {
    ...made,
    manifest: JSON.parse(text("hookpkg.json")) as Record<string, unknown>,
    hooks: JSON.parse(text("hooks/hooks.json")).hooks as Record<string, unknown>,
    ids: made.imported.carried.map(({ id }) => id),
    lost: made.imported.lost.map(({ from, why }) => `${from}: ${why}`),
    rights: made.imported.rights.map(({ right }) => right).sort(),
    paths: made.files.map(({ path, executable }) => (executable ? `${path}*` : path)).sort(),
    text,
  };
}

const every = "claude-plugin codex-plugin gemini-extension qwen-extension peri-folder claude-settings astracode".split(
  " ",
);

test.each(every)("%s: what comes of it is a package without an error, the same each time", async (name) => {
  const [first, again] = [await imported(name), await imported(name)];
  const files = (list: readonly PackageFile[]) => new Map(list.map(({ path, bytes }) => [path, bytes]));
  expect(packageProblems(files(first.files)).filter(({ code }) => code.startsWith("E_"))).toEqual([]);
  expect(again.files).toEqual(first.files);
  expect(new Set(first.ids).size).toBe(first.ids.length);
  for (const { why } of first.imported.rights) expect(why).not.toBe("");
  expect(first.text("docs/imported.md")).toContain("a proposal");
});

test("a plugin of Claude Code", async () => {
  const made = await imported("claude-plugin");
  expect(JSON.stringify(made.manifest)).not.toContain('"model"'); // its prompt hook needs no right
  expect(made.manifest).toMatchObject({
    ...{ name: "@example/branch-guard", version: "1.4.0", description: "Keeps main as it is", license: "MIT" },
    requires: { programs: ["curl", "jq", "python3"] },
    capabilities: {
      ...{ project: "read", net: ["board.example.com:443"], env: ["BOARD_TOKEN", "BRANCH_GUARD_OFF"] },
    },
  });
  expect(made.hooks).toEqual({
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          {
            ...{ id: "guard", type: "command", command: 'python3 "${PLUGIN_ROOT}"/hooks/guard.py' },
            ...{ timeout: 10, statusMessage: "Looking at the branch" },
          },
          {
            ...{ id: "rewrite", type: "command", command: "${PLUGIN_ROOT}/hooks/rewrite.sh" },
            ...{ may: ["cancel", "ask", "patch"], timeout: 5, if: "Bash(npm *)" },
          },
        ],
      },
    ],
    PostToolUse: [
      {
        matcher: "Write|Edit",
        hooks: [{ id: "tell", type: "command", command: "${PLUGIN_ROOT}/hooks/tell.sh", timeout: 60, async: true }],
      },
    ],
    Stop: [{ hooks: [{ id: "stop", type: "prompt", prompt: "Were the tests run? $ARGUMENTS", timeout: 30 }] }],
  });
  expect(made.lost).toEqual([
    "hooks/hooks.json: PreToolUse[Task] mcp_tool: hooks of the type mcp_tool have no form here",
    'hooks/hooks.json: OnMoonrise command "true": no event is called OnMoonrise',
  ]);
  expect(made.imported.carried.flatMap(({ notes }) => notes)).toContain("unknown here, left out: asyncRewake");
  expect(made.paths).toEqual([
    ...["README.md", "docs/imported.md", "hookpkg.json", "hooks/guard.py", "hooks/hooks.json", "hooks/lib/__init__.py"],
    ...["hooks/lib/words.py", "hooks/refused.txt", "hooks/rewrite.sh*", "hooks/tell.sh*"],
  ]);
});

test("a manifest that names hooks/hooks.json: each hook is there once, one note, no error", async () => {
  const { ids, imported: report } = await imported("claude-plugin");
  expect(ids).toEqual(["guard", "rewrite", "tell", "stop"]);
  expect(report.notes.filter((note) => note.includes("hooks/hooks.json"))).toEqual([
    ".claude-plugin/plugin.json names hooks/hooks.json, which is read anyway: taken once",
  ]);
});

test("a plugin of Codex: paths and hooks in one list", async () => {
  const made = await imported("codex-plugin");
  expect(made.imported.carried.map(({ to }) => to)).toEqual([
    "PreToolUse[apply_patch|Write] command node ${PLUGIN_ROOT}/scripts/patch.mjs, timeout 20",
    "Interrupt command true",
    "SessionStart[startup|resume] command cat ${PLUGIN_ROOT}/scripts/rules.txt, timeout 60",
  ]);
  expect(made.rights).toEqual(["program node"]);
  expect(made.imported.carried[0]?.notes).toEqual(["unknown here, left out: commandWindows"]);
});

test("an extension of Gemini CLI: milliseconds, its events, tools, places and variables", async () => {
  const made = await imported("gemini-extension");
  const answered = (command: string) =>
    `said=$(${command}\n); code=$?\nprintf '%s\\n' "$said" | sed -f \${PLUGIN_ROOT}/hooks/gemini-cli-answers.sed; [ $code -lt 3 ] || code=2; exit $code`;
  const heard = (command: string) =>
    answered(`{\n${command}\n} 2>/tmp/stderr`).replace(
      "\n); code=$?\n",
      '); code=$?\ncat /tmp/stderr >&2\ncase $said in "") case $(cat /tmp/stderr) in {*) said=$(cat /tmp/stderr) ;; esac ;; esac\n',
    );
  expect(made.hooks).toEqual({
    PreToolUse: [
      {
        matcher: "Bash|Write|Edit",
        hooks: [
          {
            ...{ id: "no-root", type: "command", timeout: 5 },
            command:
              "(sed -f ${PLUGIN_ROOT}/hooks/gemini-cli-words.sed | {\nexport GUARD_MODE='it'\\''s strict'; node ${PLUGIN_ROOT}/hooks/guard.js\n}\n); code=$?; [ $code -lt 3 ] || code=2; exit $code",
          },
          {
            ...{ id: "quiet", type: "command", may: ["cancel", "ask", "patch"], timeout: 3 },
            command: answered("node ${PLUGIN_ROOT}/hooks/quiet.js"),
          },
        ],
      },
      {
        matcher: "mcp__github__.*",
        hooks: [{ id: "ask", type: "command", command: heard("sh ${PLUGIN_ROOT}/hooks/ask.sh"), timeout: 60 }],
      },
    ],
    Stop: [{ hooks: [{ id: "stop", type: "command", command: 'cat > "${PROJECT_DIR}"/last.txt', timeout: 30 }] }],
  });
  expect(made.rights).toEqual(["program node", "project: read"]);
  expect(made.imported.carried.at(-1)?.notes).toContain(
    "its timeout of 30 is milliseconds there, and never enough: taken as seconds",
  );
  expect(made.imported.notes).toContain(
    "gemini-extension.json: contextFileName, mcpServers left out: no part of a hook package",
  );
});

test("an extension of Qwen Code: from a thousand on milliseconds, below seconds", async () => {
  const { hooks } = await imported("qwen-extension");
  expect(hooks).toMatchObject({
    PreToolUse: [
      { matcher: "Bash|Write", hooks: [{ id: "deny", timeout: 8 }] },
      { matcher: "Read", hooks: [{ timeout: 8 }] },
    ],
  });
});

test("a folder of Peri's: hooks/hooks.json before the manifest, said once; a condition is a part of the input", async () => {
  const made = await imported("peri-folder");
  expect(made.hooks).toMatchObject({
    PreToolUse: [{ hooks: [{ id: "audit", if: "Bash(*rm -rf*)", statusMessage: "Audit" }] }],
  });
  expect(made.imported.notes).toEqual([
    "hooks/hooks.json and plugin.json both hold hooks: hooks/hooks.json is taken, as peri does",
  ]);
  expect(made.lost[0]).toContain("SubagentStart agent");
});

test("a project's settings: its scripts come along, its other files do not, nothing from outside", async () => {
  const made = await imported("claude-settings");
  expect(made.hooks).toMatchObject({
    PreToolUse: [
      { matcher: "Edit|Write", hooks: [{ command: '"${PLUGIN_ROOT}"/hooks/protect.sh', failMode: "closed" }] },
      {
        matcher: "Bash",
        hooks: [{ command: 'python3 ${PLUGIN_ROOT}/hooks/check.py --root "${PROJECT_DIR}"', timeout: 600 }],
      },
    ],
    PostToolUse: [{ matcher: "Edit", hooks: [{ command: "npx prettier --check src/app.ts" }] }],
  });
  expect(made.paths).toEqual([
    ...["docs/imported.md", "hookpkg.json", "hooks/check.py", "hooks/hooks.json", "hooks/protect.sh*"],
  ]);
  expect(made.lost.map((line) => line.replace(/^.*: /, ""))).toEqual(["once is taken", "copy it there"]);
  expect(made.imported.carried[1]?.notes.join()).toContain("if milliseconds were meant, write 5");
  for (const path of ["claude-settings/.claude", "claude-settings/.claude/settings.json"])
    expect((await imported("claude-settings", { path })).hooks).toEqual(made.hooks);
});

test("AstraCode's layer: JSON before TOML, each once, strict; its notify", async () => {
  const made = await imported("astracode");
  expect(made.hooks).toEqual({
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          { id: "deny", type: "command", command: "${PLUGIN_ROOT}/hooks/deny.sh", timeout: 5, answers: "strict" },
        ],
      },
    ],
    SessionStart: [
      {
        matcher: "startup|resume|clear",
        hooks: [
          { id: "session-start", type: "command", command: "echo Read the rules", timeout: 60, answers: "strict" },
        ],
      },
    ],
    "turn.completed": [
      {
        hooks: [
          {
            ...{ id: "notify", type: "command" },
            argv: ["python3", "${PLUGIN_ROOT}/hooks/legacy-notify.py", "/opt/ring/notifier", "--finished"],
          },
        ],
      },
    ],
  });
  expect(made.imported.notes).toEqual([
    ".astracode/hooks.json and .astracode/config.toml both hold hooks: both are taken, JSON first",
  ]);
  expect(made.rights).toEqual(["program python3", "read: /opt/ring/notifier"]);
  expect(made.lost).toHaveLength(1);
});

test("notify's program gets the turn's end as its last argument, and nothing on stdin", async () => {
  const { text } = await imported("astracode");
  const show =
    'import json,sys; print(json.dumps([sys.argv[1:-1], json.loads(sys.argv[-1]), sys.stdin.read()]), file=open(sys.argv[1], "w"))';
  const out = join(process.env.TMPDIR ?? "/tmp", `hookpkg-notify-${crypto.randomUUID()}`);
  try {
    const { exitCode } = Bun.spawnSync(["python3", "-c", text("hooks/legacy-notify.py"), "python3", "-c", show, out], {
      stdin: Buffer.from(
        JSON.stringify({ session_id: "s", turn_id: "t", cwd: "/p", last_assistant_message: 'done "$(id)"' }),
      ),
    });
    expect(exitCode).toBe(0);
    expect(await Bun.file(out).json()).toEqual([
      [out],
      {
        ...{ type: "agent-turn-complete", "thread-id": "s", "turn-id": "t", cwd: "/p", "input-messages": [] },
        "last-assistant-message": 'done "$(id)"',
      },
      "",
    ]);
  } finally {
    await Bun.file(out).delete();
  }
});
