import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "./package.json" with { type: "json" };

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "hookpkg-build-"));
const binary = join(base, "bin", "hookpkg");

beforeAll(() => {
  const built = Bun.spawnSync([process.execPath, join(import.meta.dir, "build.ts"), binary], { stderr: "inherit" });
  expect([built.exitCode, readdirSync(join(base, "bin"))]).toEqual([0, ["hookpkg"]]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function run(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([binary, ...args], { cwd, env: { PATH: "/usr/bin:/bin" } });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
}

test("it knows its version and takes nothing from the folder it is started in", () => {
  const hostile = join(base, "hostile");
  mkdirSync(hostile);
  const mark = join(hostile, "mark");
  writeFileSync(join(hostile, "evil.ts"), `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`);
  writeFileSync(join(hostile, "bunfig.toml"), 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n');
  writeFileSync(join(hostile, ".env"), "BUN_OPTIONS=--preload=./evil.ts\nNODE_OPTIONS=--require=./evil.ts\n");
  writeFileSync(join(hostile, "package.json"), '{"imports":{"#x":"./evil.ts"}}');
  expect(run(hostile, "--version")).toEqual({ code: 0, out: `hookpkg ${manifest.version}\n`, err: "" });
  expect(existsSync(mark)).toBe(false);
});

test("lazy commands and the texts of a new guard are in it", () => {
  const home = ["--home", join(base, "home")];
  expect(run(base, "new", "guard", "--name", "@acme/guard", ...home).code).toBe(0);
  expect(run(base, "validate", "guard", ...home)).toEqual({ code: 0, out: "", err: "" });
  expect(run(base, "pack", "guard", "--dry-run", ...home).code).toBe(0);
  expect(run(base, "test", "guard", ...home)).toMatchObject({ code: 0 });
});
