import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg } from "../author/test-program.ts";
import { approveAll, eventText, type TestProject, testProject } from "../trust/test-project.ts";

/** What stands where hookpkg reads a file, put there by a tool call that no guard minds: nothing of it keeps an event waiting. */
setDefaultTimeout(120_000);

let guarded: TestProject;
beforeAll(async () => {
  guarded = await testProject();
  await approveAll(guarded.path);
});
afterAll(async () => {
  await hookpkg(guarded.path, "daemon", "stop");
  guarded[Symbol.dispose]();
});
beforeEach(() => {
  for (const path of [".git", "sub", "g"]) rmSync(join(guarded.path, path), { recursive: true, force: true });
  mkdirSync(join(guarded.path, "sub"));
});

const MAX_WAIT_SECONDS = 30;

/** The decision about a removal; `timeout` ends what would wait without end. */
async function decision(folder = guarded.path): Promise<string> {
  const program = [process.execPath, join(import.meta.dir, "../main.ts"), "run", "native"];
  const started = Bun.spawn(
    ["timeout", "-s", "KILL", `${MAX_WAIT_SECONDS}`, ...program, "--home", join(guarded.path, "home")],
    { cwd: guarded.path, stdin: new Blob([eventText(folder, "rm -rf x")]), stdout: "pipe", stderr: "ignore" },
  );
  const [code, out] = await Promise.all([started.exited, started.stdout.text()]);
  return code === 0 ? JSON.parse(out).decision : `exit ${code}`;
}

function pipe(...path: string[]): void {
  const made = join(guarded.path, ...path);
  rmSync(made, { force: true });
  expect(Bun.spawnSync(["mkfifo", made]).exitCode).toBe(0);
}

const IN_THE_PROJECT: [string, () => void][] = [
  [".git is a pipe", () => pipe(".git")],
  [".git of a folder below is a pipe", () => pipe("sub", ".git")],
  [".git leads to /dev/zero", () => symlinkSync("/dev/zero", join(guarded.path, ".git"))],
  [
    "commondir is a pipe",
    () => {
      writeFileSync(join(guarded.path, ".git"), "gitdir: g\n");
      mkdirSync(join(guarded.path, "g"));
      pipe("g", "commondir");
    },
  ],
  [
    ".git/config is a pipe",
    () => {
      mkdirSync(join(guarded.path, ".git"));
      pipe(".git", "config");
    },
  ],
];

test.each(IN_THE_PROJECT)("%s", async (_, plant) => {
  plant();
  expect(await decision(join(guarded.path, "sub"))).toBe("cancel");
});

test("own files that are pipes: the journal, the sandbox's cache, a lock, a lock file of the project", async () => {
  const home = join(guarded.path, "home");
  const closed = readdirSync(join(home, "state/closed"));
  const id = closed.find((name) => name !== "user.json" && name.endsWith(".json"))?.replace(".json", "") ?? "";
  await decision();
  for (const file of [`state/journal/${id}/journal.jsonl`, `state/journal/${id}/lock`, "cache/sandbox.json"]) {
    await hookpkg(guarded.path, "daemon", "stop");
    pipe("home", file);
    expect([file, await decision()]).toEqual([file, "cancel"]);
    rmSync(join(home, file));
  }
  pipe(".hookpkg", "lock.json");
  expect(await decision()).toBe("cancel");
});
