import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweepScratch, temporary } from "../test-project.ts";
import { runsOurProgram } from "./peer.ts";

/** A script in our own engine has our file: it must not be taken for the daemon. */
const children: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  sweepScratch();
});

const SCRIPT = "console.log('up'); setInterval(() => {}, 1000)";

async function started(words: readonly string[], env: Record<string, string>, cwd = "/"): Promise<number> {
  const child = Bun.spawn([process.execPath, ...words], { cwd, env, stdout: "pipe" });
  children.push(child);
  await child.stdout.getReader().read();
  return child.pid;
}

test("our file, and nothing that leads it astray", async () => {
  expect(runsOurProgram(await started(["-e", SCRIPT], { PATH: "/usr/bin" }))).toBe(true);
  for (const name of ["BUN_BE_BUN", "BUN_INSPECT_NOTIFY", "LD_LIBRARY_PATH"])
    expect([name, runsOurProgram(await started(["-e", SCRIPT], { [name]: "1" }))]).toEqual([name, false]);
  expect(runsOurProgram(1)).toBe(false);
});

test("a program of one file is the daemon only by the daemon's words", async () => {
  const cwd = temporary();
  writeFileSync(join(cwd, "daemon"), `${SCRIPT}\n`);
  writeFileSync(join(cwd, "fake.js"), `${SCRIPT}\n`);
  expect(runsOurProgram(await started(["daemon", "serve"], {}, cwd), true)).toBe(true);
  expect(runsOurProgram(await started(["fake.js", "daemon", "serve"], {}, cwd), true)).toBe(false);
});
