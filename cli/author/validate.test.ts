import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

async function guard(base: string): Promise<string> {
  await hookpkg(base, "new", "guard", "--name", "@acme/guard");
  return join(base, "guard");
}

test("all faults are named at once, each on its line, and the exit code says so", async () => {
  using base = temporaryFolder();
  const dir = await guard(base.path);
  writeFileSync(join(dir, "hookpkg.json"), '{"name":"@acme/guard","version":"one","description":"","licence":"MIT"}');
  const module = { type: "module", module: "./gone.ts" };
  const late = { matcher: "bash", hooks: [{ id: "a", ...module, timeout: 5000 }] };
  const gone = { matcher: "Bash", hooks: [{ id: "b", ...module }] };
  writeFileSync(join(dir, "hooks", "hooks.json"), JSON.stringify({ hooks: { PreToolUse: [late, gone] } }));
  const { code, result } = await hookpkgJson(base.path, "validate", "guard");
  expect(code).toBe(1);
  if (!result.ok) throw new Error(result.error.code);
  expect(result.data).toMatchObject({ name: "@acme/guard", version: "one" });
  const text = JSON.stringify(result.data);
  for (const problem of ["E_FIELD_VALUE", "E_FIELD_UNKNOWN", "E_TIMEOUT_UNIT", "E_MODULE_MISSING", "E_MATCHER_TOOL"])
    expect(text).toContain(problem);
  const lines = (await hookpkg(base.path, "validate", "guard")).out.trim().split("\n");
  expect(lines.filter((line) => line.startsWith("error ")).length).toBeGreaterThanOrEqual(5);
});

test("a warning is said and does not fail", async () => {
  using base = temporaryFolder();
  const dir = await guard(base.path);
  writeFileSync(join(dir, "test", "cases", "must-cancel.json"), "[]");
  const { code, out } = await hookpkg(base.path, "validate", "guard");
  expect([code, out.includes("W_CASES")]).toEqual([0, true]);
});

test("garbage in any file is a named fault, never a stack", async () => {
  using base = temporaryFolder();
  const dir = await guard(base.path);
  for (const garbage of [
    "",
    "{",
    "null",
    "[]",
    '"x"',
    '{"hooks":[]}',
    '{"a":1,"a":2}',
    "[".repeat(100_000),
    "\u0000\ufffd",
    `"${"x".repeat(2_000_000)}"`,
  ])
    for (const file of ["hookpkg.json", "hooks/hooks.json", "test/cases/must-pass.json"]) {
      await guard(base.path);
      writeFileSync(join(dir, file), garbage);
      const { code, out, err } = await hookpkg(base.path, "validate", "guard");
      expect([file, garbage.slice(0, 20), code]).toEqual([file, garbage.slice(0, 20), 1]);
      expect(out + err).toContain("E_");
      expect(out + err).not.toMatch(/\n\s+at /);
    }
});

test("a folder that is none, a link, a path that can't be packed", async () => {
  using base = temporaryFolder();
  const dir = await guard(base.path);
  expect(await refusal(base.path, "validate", "gone")).toEqual([1, "E_FOLDER_MISSING"]);
  expect(await refusal(base.path, "validate", "guard/guard.ts")).toEqual([1, "E_FOLDER_NOT_FOLDER"]);
  expect(await refusal(base.path, "validate", "guard", "more")).toEqual([64, "E_USAGE"]);
  symlinkSync("/etc/passwd", join(dir, "link"));
  expect(await refusal(base.path, "validate", "guard")).toEqual([1, "E_FOLDER_LINK"]);
  mkdirSync(join(base.path, "deep", ...Array.from({ length: 20 }, () => "d")), { recursive: true });
  expect((await refusal(base.path, "validate", "deep"))[1]).toBe("E_ARCHIVE_TOO_DEEP");
});

test("a hostile name can't act on the terminal", async () => {
  using base = temporaryFolder();
  const dir = await guard(base.path);
  writeFileSync(join(dir, "hookpkg.json"), JSON.stringify({ "\u001b[2J\u202e": 1 }));
  const { out } = await hookpkg(base.path, "validate", "guard");
  expect(out).not.toMatch(/[\u001b\u202e]/);
});
