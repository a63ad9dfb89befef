import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../quickstart/stage.ts";
import { writeBlocks } from "./blocks.ts";

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), "hookpkg-sdk-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the page's guard passes the page's tests, as its author would run them", async () => {
  writeBlocks(join(ROOT, "packages/sdk/README.md"), folder);
  mkdirSync(join(folder, "node_modules/@hookpkg"), { recursive: true });
  symlinkSync(join(ROOT, "packages/sdk"), join(folder, "node_modules/@hookpkg/sdk"));
  const run = Bun.spawn([process.execPath, "test"], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [code, said] = await Promise.all([run.exited, run.stderr.text()]);
  expect(said).toContain("2 pass");
  expect(code, said).toBe(0);
});
