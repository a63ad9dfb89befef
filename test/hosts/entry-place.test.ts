import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AttachedStage, attach, REASON } from "./attached.ts";
import { buildProgram } from "./built.ts";
import { put } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

/** Where the entry that stands in a host's settings finds its project, whatever it is started in and with. */
let built: ReturnType<typeof buildProgram>;
let stage: Stage;
let attached: AttachedStage;
let outside = "";

beforeAll(async () => {
  built = buildProgram();
  stage = openStage();
  outside = join(dirname(stage.home), "outside");
  mkdirSync(join(outside, "deep"), { recursive: true });
  attached = await attach(stage, "claude-code", built.program);
  await attached.hookpkg("attach", "codex");
}, 120_000);
afterAll(async () => {
  await attached.hookpkg("daemon", "stop");
  stage[Symbol.dispose]();
  built[Symbol.dispose]();
});

type Where = { cwd: string; session?: string; env?: Record<string, string>; event?: string };

/** The text of the entry itself, in the host's shell and with an event of a forbidden command. */
async function asked(
  host: "claude-code" | "codex",
  { cwd, session = crypto.randomUUID(), env = {}, event = "PreToolUse" }: Where,
) {
  const file = join(stage.home, host === "codex" ? ".codex/hooks.json" : ".claude/settings.json");
  const settings: { hooks: Record<string, [{ hooks: [{ command: string }] }]> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const command = settings.hooks[event]?.[0].hooks[0].command ?? "";
  const call = { tool_name: "Bash", tool_input: { command: "touch forbidden" }, tool_use_id: crypto.randomUUID() };
  const common = { session_id: session, transcript_path: null, cwd, hook_event_name: event, source: "startup" };
  const child = Bun.spawn([host === "codex" ? "/bin/bash" : "/bin/sh", "-c", command], {
    cwd: existsSync(cwd) ? cwd : "/",
    env: { PATH: "/usr/bin:/bin", ...env },
    stdin: new Blob([JSON.stringify(event === "PreToolUse" ? { ...common, ...call } : common)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, exit] = await Promise.all([child.stdout.text(), child.exited]);
  return exit === 0 && stdout.includes(REASON) ? "refused" : exit === 0 ? "passed" : `exit ${exit}`;
}

describe("the guard of a project is asked", () => {
  test("in its root and below, and nobody elsewhere", async () => {
    expect(await asked("codex", { cwd: stage.project })).toBe("refused");
    expect(await asked("codex", { cwd: join(stage.project, "guard/hooks") })).toBe("refused");
    expect(await asked("codex", { cwd: join(stage.project, "gone/for/good") })).toBe("refused");
    expect(await asked("codex", { cwd: outside })).toBe("passed");
  });

  test("after the agent has gone elsewhere: by the host's variable, and by where the session began", async () => {
    const env = { CLAUDE_PROJECT_DIR: stage.project };
    expect(await asked("claude-code", { cwd: outside, env })).toBe("refused");
    const session = "began in the project";
    expect(await asked("codex", { cwd: stage.project, session, event: "SessionStart" })).toBe("passed");
    expect(await asked("codex", { cwd: outside, session })).toBe("refused");
    expect(await asked("codex", { cwd: "/", session })).toBe("refused");
  });

  test("where the host's variable was led elsewhere after the session began", async () => {
    const session = "led elsewhere";
    const env = (folder: string) => ({ CLAUDE_PROJECT_DIR: folder });
    expect(await asked("claude-code", { cwd: stage.project, session, env: env(stage.project) })).toBe("refused");
    expect(await asked("claude-code", { cwd: outside, session, env: env(outside) })).toBe("refused");
  });

  test("in a project inside it, registered or only pretended", async () => {
    const inner = join(stage.project, "inner");
    put(join(inner, ".hookpkg/lock.json"), '{"lock":1,"packages":{}}');
    put(join(inner, ".hookpkg/project.json"), '{"packages":{}}');
    expect(await asked("codex", { cwd: inner })).toBe("refused");
    expect((await attached.hookpkg("init", "--project", inner)).exit).toBe(0);
    expect(await asked("codex", { cwd: inner })).toBe("refused");
    expect(await asked("claude-code", { cwd: inner, env: { CLAUDE_PROJECT_DIR: inner } })).toBe("refused");
  });

  test("in another worktree of its repository", async () => {
    const git = (...words: string[]) => {
      const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
      const ran = Bun.spawnSync(["git", ...who, ...words], { cwd: stage.project, stderr: "pipe" });
      if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
    };
    git("init", "-q");
    git("add", "guard");
    git("commit", "-q", "-m", "guard");
    git("worktree", "add", "-q", join(outside, "tree"));
    // A project that became a repository later is known by its folder; of that the worktree is told by git's own files.
    expect(await asked("codex", { cwd: join(outside, "tree") })).toBe("refused");
  });

  test("with an environment that would lead hookpkg elsewhere", async () => {
    const evil = join(outside, "evil");
    for (const name of ["hookpkg", "env", "bwrap", "sh", "getent", "prlimit"])
      put(join(evil, name), `#!/bin/sh\n: >${evil}/ran\n`, 0o755);
    put(join(evil, "preload.js"), `require("node:fs").writeFileSync(${JSON.stringify(join(evil, "ran"))}, "");`);
    const env = {
      ...{ HOME: evil, XDG_CONFIG_HOME: evil, XDG_STATE_HOME: evil, XDG_DATA_HOME: evil, XDG_RUNTIME_DIR: evil },
      ...{ TMPDIR: evil, PATH: `${evil}:/usr/bin:/bin`, BUN_OPTIONS: `--preload=${evil}/preload.js`, BUN_BE_BUN: "1" },
      ...{ BUN_INSPECT_PRELOAD: `${evil}/preload.js`, NODE_OPTIONS: `--require=${evil}/preload.js` },
      LD_LIBRARY_PATH: evil,
    };
    expect(await asked("codex", { cwd: stage.project, env })).toBe("refused");
    expect(await asked("claude-code", { cwd: stage.project, env })).toBe("refused");
    expect(existsSync(join(evil, "ran"))).toBe(false);
  });

  test("with a library to load first, which is not loaded into hookpkg", async () => {
    const env = { LD_PRELOAD: join(outside, "none.so") };
    expect(await asked("codex", { cwd: stage.project, env })).toBe("refused");
  });
});
