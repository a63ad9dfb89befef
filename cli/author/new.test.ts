import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

test("a new guard has nothing to complain of, and passes its own tests with and without the sandbox", async () => {
  using base = temporaryFolder();
  const made = await hookpkg(base.path, "new", "--guard", "no-force", "--name", "@acme/no-force");
  expect(made.code).toBe(0);
  expect(await hookpkg(base.path, "validate", "no-force")).toEqual({ code: 0, out: "", err: "" });
  const tested = await hookpkgJson(base.path, "test", "no-force");
  expect(tested).toMatchObject({ code: 0, result: { ok: true, data: { passed: 8, failed: 0 } } });
  const guard = join(base.path, "no-force");
  const own = Bun.spawnSync([process.execPath, "test"], { cwd: guard });
  expect(own.exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(guard, "hookpkg.json"), "utf8"))).toMatchObject({ name: "@acme/no-force" });
});

test("an empty folder is filled; it is called after itself when no name is given", async () => {
  using base = temporaryFolder();
  mkdirSync(join(base.path, "mine"));
  expect((await hookpkg(base.path, "new", "mine")).code).toBe(0);
  const manifest: unknown = JSON.parse(readFileSync(join(base.path, "mine", "hookpkg.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "@example/mine" });
  expect(readdirSync(base.path)).toEqual(["mine"]);
});

test("what is there already stays as it is", async () => {
  using base = temporaryFolder();
  const at = (name: string) => join(base.path, name);
  mkdirSync(at("full"));
  writeFileSync(at("full/mine"), "x");
  writeFileSync(at("file"), "x");
  symlinkSync(at("elsewhere"), at("link"));
  const before = readdirSync(base.path);
  for (const name of ["full", "file", "link"])
    expect(await refusal(base.path, "new", name)).toEqual([1, "E_NEW_FOLDER"]);
  expect(readdirSync(base.path)).toEqual(before);
  expect(readdirSync(at("full"))).toEqual(["mine"]);
  expect(existsSync(at("elsewhere"))).toBe(false);
});

test("a name that is none, no folder, a folder that can't be made: refused, nothing written", async () => {
  using base = temporaryFolder();
  expect(await refusal(base.path, "new", "x", "--name", "../evil")).toEqual([1, "E_NAME"]);
  expect(await refusal(base.path, "new", "Bad Name")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "new")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "new", "a", "b")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "new", "/proc/x", "--name", "@a/b")).toEqual([1, "E_FILE_WRITE"]);
  expect(readdirSync(base.path)).toEqual([]);
});
