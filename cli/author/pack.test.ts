import { expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { validateArchive } from "@hookpkg/archive";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

test("the archive is one that every client takes, the same each time, under a name of its own", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@acme/guard");
  const first = await hookpkgJson(base.path, "pack", "guard");
  const second = await hookpkgJson(base.path, "pack", "guard", "--out", "again.tar");
  const bytes = readFileSync(join(base.path, "acme-guard-0.1.0.tar"));
  const archive = validateArchive(new Uint8Array(bytes));
  expect(first.result).toMatchObject({ ok: true, data: { integrity: archive.sha512, tree: archive.tree } });
  expect(second.result).toMatchObject({
    ok: true,
    data: { integrity: archive.sha512, file: join(base.path, "again.tar") },
  });
  expect(readFileSync(join(base.path, "again.tar")).equals(bytes)).toBe(true);
  expect(archive.files.map(({ path }) => path)).toEqual([
    "LICENSE",
    "README.md",
    "guard.ts",
    "hookpkg.json",
    "hooks/hooks.json",
    "shell.ts",
    "test/cases/must-cancel.json",
    "test/cases/must-pass.json",
  ]);
});

test("an archive never lands in what is packed: beside the folder when that is where we are", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@acme/guard");
  const at = (path: string) => join(base.path, "guard", path);
  const before = readdirSync(at("."));
  const inside = async (...words: string[]) => {
    const command = [
      process.execPath,
      join(import.meta.dir, "../main.ts"),
      "pack",
      ...words,
      "--json",
      "--home",
      join(base.path, "home"),
    ];
    const ran = Bun.spawn(command, { cwd: at("hooks"), stdout: "pipe", env: { PATH: "/usr/bin:/bin" } });
    const said: { data?: { file: string }; error?: { code: string } } = JSON.parse(await ran.stdout.text());
    return said.data?.file ?? said.error?.code;
  };
  expect(await inside("..")).toBe(join(base.path, "acme-guard-0.1.0.tar"));
  expect(await inside("..", "--out", "x.tar")).toBe("E_USAGE");
  expect(await inside("..", "--out", "../../x.tar")).toBe(join(base.path, "x.tar"));
  symlinkSync(at("docs"), join(base.path, "beside"));
  mkdirSync(at("docs"));
  expect(await refusal(base.path, "pack", "guard", "--out", "beside/x.tar")).toEqual([64, "E_USAGE"]);
  rmSync(at("docs"), { recursive: true });
  expect(readdirSync(at("."))).toEqual(before);
});

test("--dry-run writes nothing", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@acme/guard");
  const { code, result } = await hookpkgJson(base.path, "pack", "guard", "--dry-run");
  expect([code, result]).toMatchObject([0, { ok: true, data: { file: null, name: "@acme/guard" } }]);
  expect(readdirSync(base.path)).toEqual(["guard"]);
});

test("what can't be packed or written is refused, and nothing half is left", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@acme/guard");
  expect(await refusal(base.path, "pack", "guard", "--out", "no/such/folder.tar")).toEqual([1, "E_FILE_WRITE"]);
  symlinkSync("/dev/null", join(base.path, "device"));
  expect(await refusal(base.path, "pack", "guard", "--out", "device")).toEqual([1, "E_FILE_WRITE"]);
  expect(await refusal(base.path, "pack", "guard", "--out", "/dev/null")).toEqual([1, "E_FILE_WRITE"]);
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  rmSync(join(base.path, "device"));
  mkdirSync(join(base.path, "taken"));
  expect(await refusal(base.path, "pack", "guard", "--out", "taken")).toEqual([1, "E_FILE_WRITE"]);
  writeFileSync(join(base.path, "guard", "hookpkg.json"), "{}");
  expect(await refusal(base.path, "pack", "guard")).toEqual([1, "E_PACKAGE_INVALID"]);
  writeFileSync(join(base.path, "guard", "big.bin"), new Uint8Array(21 * 1024 * 1024));
  expect((await refusal(base.path, "pack", "guard"))[1]).toBe("E_ARCHIVE_TOO_LARGE");
  expect(readdirSync(base.path).sort()).toEqual(["guard", "taken"]);
  expect(existsSync(join(base.path, "acme-guard-0.1.0.tar"))).toBe(false);
});
