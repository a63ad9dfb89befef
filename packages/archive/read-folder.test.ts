import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { LIMITS, pack, readFolder, validateArchive } from "./index.ts";

let temp = "";
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), "hookpkg-read-"));
});
afterEach(() => rmSync(temp, { recursive: true }));

test("every regular file but hidden ones, node_modules, package.json and locks; the owner's x bit", async () => {
  write({
    "hookpkg.json": "{}",
    "hooks/hooks.json": "{}",
    "bin/run.sh": "#!/bin/sh\n",
    ".env": "SECRET=1",
    ".git/config": "",
    "lib/.hidden/x": "",
    "package.json": "{}",
    "lib/package.json": "{}",
    "node_modules/a/index.js": "",
    "lib/node_modules/b.js": "",
    "bun.lock": "",
    "lib/Cargo.lock": "",
    "x.lockfile": "kept",
  });
  chmodSync(join(temp, "bin/run.sh"), 0o755);
  chmodSync(join(temp, "hookpkg.json"), 0o655); // group and others do not count
  const files = await readFolder(temp);
  expect(files.map(({ path, executable }) => [path, executable])).toEqual([
    ["bin/run.sh", true],
    ["hookpkg.json", false],
    ["hooks/hooks.json", false],
    ["x.lockfile", false],
  ]);
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe("#!/bin/sh\n");
});

test(".hookpkgignore speaks gitignore", async () => {
  write({
    ".hookpkgignore": "# notes\n*.log\n/build/\n!keep.log\nsrc/**/gen?.ts\ndata/*\n!data/in/\nCase.ts\n",
    "a.log": "",
    "keep.log": "",
    "build/x": "",
    "lib/build/y": "",
    "src/a/b/gen1.ts": "",
    "src/gen12.ts": "",
    "data/out/x": "",
    "data/in/x": "",
    "case.ts": "",
  });
  const paths = (await readFolder(temp)).map(({ path }) => path);
  expect(paths).toEqual(["case.ts", "data/in/x", "keep.log", "lib/build/y", "src/gen12.ts"]);
});

test("an ignored link is nobody's business, any other is refused", async () => {
  write({ "a.ts": "", "x/b.ts": "", ".hookpkgignore": "ignored\n" });
  symlinkSync("/etc", join(temp, "ignored"));
  symlinkSync("/etc", join(temp, "node_modules"));
  expect((await readFolder(temp)).map(({ path }) => path)).toEqual(["a.ts", "x/b.ts"]);
  symlinkSync("../a.ts", join(temp, "x/link.ts"));
  expect(await codeOf(readFolder(temp))).toBe("E_FOLDER_LINK");
});

test("the folder itself must be no link, whatever stands behind its name", async () => {
  write({ "real/a.ts": "" });
  symlinkSync("real", join(temp, "link"));
  for (const end of ["", "/", "/."]) expect(await codeOf(readFolder(`${temp}/link${end}`))).toBe("E_FOLDER_LINK");
  expect(await codeOf(readFolder(join(temp, "absent")))).toBe("E_FOLDER_MISSING");
  expect(await codeOf(readFolder(join(temp, "real/a.ts")))).toBe("E_FOLDER_NOT_FOLDER");
});

test("a pipe is refused and not waited for", async () => {
  write({ "a.ts": "" });
  Bun.spawnSync(["mkfifo", join(temp, "pipe")]);
  expect(await codeOf(readFolder(temp))).toBe("E_FOLDER_SPECIAL");
});

test.each([
  ["E_ARCHIVE_EMPTY", { ".hidden": "" }],
  ["E_ARCHIVE_CASE_TWIN", { "Guard.ts": "", "guard.ts": "" }],
  ["E_ARCHIVE_PATH_WINDOWS", { "aux.ts": "" }],
  ["E_ARCHIVE_PATH_INVISIBLE", { "a\u202eb": "" }],
  ["E_ARCHIVE_PATH_NFC", { "e\u0301": "" }],
  ["E_ARCHIVE_PATH_SIGN", { "a:b": "" }],
  ["E_ARCHIVE_TOO_DEEP", { [`${"d/".repeat(LIMITS.MAX_DEPTH)}x`]: "" }],
  ["E_ARCHIVE_SEGMENT_LONG", { ["s".repeat(101)]: "" }],
  ["E_ARCHIVE_PATH_LONG", { [`${`${"p".repeat(80)}/`.repeat(3)}x`]: "" }],
  ["E_FOLDER_IGNORE_FILE", { ".hookpkgignore": "*a*a*a*a*a*a*a*b\n" }],
  ["E_FOLDER_IGNORE_FILE", { ".hookpkgignore/x": "" }],
])("what an archive may not hold is not read: %s", async (code, files) => {
  write(files);
  expect(await codeOf(readFolder(temp))).toBe(code);
});

test("a name that is not UTF-8 is refused", async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${temp}/`), Buffer.from([0x61, 0xff])]), "");
  expect(await codeOf(readFolder(temp))).toBe("E_ARCHIVE_PATH_UTF8");
});

test("limits stop the reading", async () => {
  mkdirSync(join(temp, "many"));
  for (let n = 0; n <= LIMITS.MAX_ENTRIES; n += 1) writeFileSync(join(temp, "many", `${n}`), "");
  expect(await codeOf(readFolder(join(temp, "many")))).toBe("E_ARCHIVE_TOO_MANY");
  mkdirSync(join(temp, "large"));
  for (const name of ["a", "b"]) writeFileSync(join(temp, "large", name), new Uint8Array(LIMITS.MAX_TAR_BYTES / 2));
  expect(await codeOf(readFolder(join(temp, "large")))).toBe("E_ARCHIVE_TOO_LARGE");
});

test("times, umask, order of creation, working folder and time zone have no part in the archive", async () => {
  const contents = { "b/run.sh": "1", "a.ts": "2", "b/é.ts": "3", "Z.md": "4" };
  write(contents, "one");
  const before = process.umask(0o077);
  write(Object.fromEntries(Object.entries(contents).reverse()), "two");
  process.umask(before);
  for (const folder of ["one", "two"]) chmodSync(join(temp, folder, "b/run.sh"), folder === "one" ? 0o755 : 0o700);
  utimesSync(join(temp, "one/a.ts"), 1, 1);
  const packed = pack(await readFolder(join(temp, "one")));
  expect(pack(await readFolder(join(temp, "two"))).sha256).toBe(packed.sha256);
  expect(validateArchive(packed.tar).tree).toBe(packed.tree);
  const script = `const { pack, readFolder } = await import(${JSON.stringify(join(import.meta.dir, "index.ts"))});
    console.log(pack(await readFolder("../two")).sha256);`;
  const child = Bun.spawnSync([process.execPath, "-e", script], {
    cwd: join(temp, "one"),
    env: { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8" },
  });
  expect(child.stdout.toString().trim()).toBe(packed.sha256);
});

test("what is behind a link is never read, however fast folder and link change places", async () => {
  write({ "package/sub/a.ts": "open", "secret/a.ts": "secret" });
  const script = `const fs = require("node:fs");
    console.log("begun");
    for (;;) {
      fs.renameSync("package/sub", "aside");
      fs.symlinkSync("../secret", "package/sub");
      fs.unlinkSync("package/sub");
      fs.renameSync("aside", "package/sub");
    }`;
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: temp, stdout: "pipe" });
  await child.stdout.getReader().read();
  const seen = new Set<string>();
  let faults = 0;
  // On until both were met: the folder in its place, and the moment in which it is not.
  for (let n = 0; n < 2000 || seen.size === 0 || faults < 200; n += 1) {
    const files = await readFolder(join(temp, "package")).catch((error: unknown) => {
      if (!isFault(error)) throw error;
      faults += 1;
      return [];
    });
    for (const { bytes } of files) seen.add(new TextDecoder().decode(bytes));
  }
  child.kill("SIGKILL");
  await child.exited;
  expect([...seen]).toEqual(["open"]);
});

function write(files: Record<string, string>, folder = "."): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(temp, folder, path)), { recursive: true });
    writeFileSync(join(temp, folder, path), text);
  }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "no fault";
}
