import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "hookpkg-sdk-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the page's guard passes the page's tests, as its author would run them", async () => {
  const page = readFileSync(join(import.meta.dir, "README.md"), "utf8");
  for (const [, path = "", text = ""] of page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, "node_modules/@hookpkg"), { recursive: true });
  symlinkSync(import.meta.dir, join(folder, "node_modules/@hookpkg/sdk"));
  const run = Bun.spawn([process.execPath, "test"], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [code, said] = await Promise.all([run.exited, run.stderr.text()]);
  expect(said).toContain("2 pass");
  expect(code, said).toBe(0);
});
