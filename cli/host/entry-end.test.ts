import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOST_SETTINGS, ENTRY_END as IN_ENTRIES, personalText } from "@hookpkg/hosts";
import { temporaryFolder } from "../author/test-program.ts";
import { ENTRY_END, endOf } from "./entry-end.ts";

setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, "..", "main.ts");

test("what an entry waits for is what run ends with, and nobody else is told it", () => {
  expect(ENTRY_END).toBe(IN_ENTRIES);
  expect([endOf(0, ["--entry"]), endOf(2, ["--entry"]), endOf(0, [])]).toEqual([ENTRY_END, 2, 0]);
});

/** An entry of claude-code's as `attach` writes it, with the real program, in a home whose closed guard is on record. */
async function entry(home: string, cwd: string, env: Record<string, string>) {
  const settings = HOST_SETTINGS.find(({ host }) => host === "codex");
  const before = settings?.entries.find(({ event }) => event === "PreToolUse");
  if (!settings || !before) throw new Error("codex");
  const program = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install", MAIN];
  const text = personalText(settings, before, { program, home, state: join(home, "state") });
  const event = {
    session_id: "s",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
  };
  const child = Bun.spawn(["/bin/sh", "-c", text], {
    ...{ cwd, env: { PATH: "/usr/bin:/bin", ...env }, stdin: new Blob([JSON.stringify(event)]) },
    ...({ stdout: "pipe", stderr: "pipe" } as const),
  });
  const [exit, stdout] = await Promise.all([child.exited, child.stdout.text()]);
  return { exit, stdout };
}

test("an entry passes what hookpkg has judged, and refuses what a variable of the project's ended before that", async () => {
  using base = temporaryFolder();
  const home = join(base.path, "home");
  mkdirSync(join(home, "state/closed"), { recursive: true, mode: 0o700 });
  expect((await entry(home, base.path, {})).exit).toBe(0);
  writeFileSync(join(home, "state/closed/any"), "{}");
  expect((await entry(home, base.path, {})).exit).toBe(0); // judged: this project has no guard
  expect((await entry(home, base.path, { BUN_JSC_logFilename: "x" })).exit).toBe(2);
});
