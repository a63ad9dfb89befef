import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage, ROOT } from "../quickstart/stage.ts";
import { writeBlocks } from "./blocks.ts";

setDefaultTimeout(60_000);
const stage = openStage();
afterAll(() => stage.close());

test("the page's guard passes the page's tests, as its author would run them", async () => {
  writeBlocks(join(ROOT, "packages/sdk/README.md"), stage.project);
  writeFileSync(join(stage.project, "hookpkg.json"), "{}");
  expect((await stage.hookpkg(["sdk"], { quiet: true })).exit).toBe(0);
  const run = Bun.spawn([process.execPath, "test"], { cwd: stage.project, stdout: "pipe", stderr: "pipe" });
  const [code, said] = await Promise.all([run.exited, run.stderr.text()]);
  expect(said).toContain("2 pass");
  expect(code, said).toBe(0);
});
