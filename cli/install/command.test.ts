import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveRegistry } from "@hookpkg/registry";
import type { JsonResult } from "@hookpkg/spec";
import { hookpkg, hookpkgJson, refusal, started, temporaryFolder } from "../author/test-program.ts";

setDefaultTimeout(120_000);

const HANDLER = { id: "g", type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] };
const CASES = [
  {
    name: "bad",
    event: "PreToolUse",
    input: { tool_name: "Bash", tool_input: { command: "bad" } },
    want: { answer: "cancel" },
  },
  {
    name: "good",
    event: "PreToolUse",
    input: { tool_name: "Bash", tool_input: { command: "ls" } },
    want: { answer: "continue" },
  },
];
const GUARD = `import { cancel, defineHook, next } from "@hookpkg/sdk";
export default defineHook(({ tool_input }) => (tool_input?.command === "bad" ? cancel("bad") : next()));
`;

function writeGuard(folder: string, name: string, version = "1.0.0", more: object = {}): void {
  for (const made of ["hooks", "test/cases"]) mkdirSync(join(folder, made), { recursive: true });
  writeFileSync(join(folder, "hookpkg.json"), JSON.stringify({ name, version, description: "a guard", ...more }));
  writeFileSync(
    join(folder, "hooks/hooks.json"),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [HANDLER] }] } }),
  );
  writeFileSync(join(folder, "guard.ts"), GUARD);
  writeFileSync(join(folder, "test/cases/all.json"), JSON.stringify(CASES));
}

const lockFile = (base: string) => join(base, ".hookpkg/lock.json");
const lockText = (base: string) => readFileSync(lockFile(base), "utf8");
const dataOf = (result: JsonResult<object>) => (result.ok ? result.data : result.error);

test("a folder below the project is installed, waits, and is the same again", async () => {
  using folder = temporaryFolder();
  writeGuard(join(folder.path, "mine"), "@acme/mine");
  const { code, result } = await hookpkgJson(folder.path, "install", "./mine");
  expect(code).toBe(3);
  expect(dataOf(result)).toMatchObject({
    packages: [
      {
        name: "file:./mine",
        version: "1.0.0",
        source: "file:./mine",
        handlers: [{ handler: "file:./mine#g", state: "untrusted" }],
      },
    ],
  });
  const before = lockText(folder.path);
  expect(JSON.parse(before).packages["file:./mine"]).not.toHaveProperty("statement");
  expect((await hookpkg(folder.path, "install")).code).toBe(3);
  expect(lockText(folder.path)).toBe(before);
  expect(await refusal(folder.path, "install", "--frozen")).toEqual([3, ""]);
});

test("what the lock does not have, or has otherwise, is refused by --frozen and nothing is written", async () => {
  using folder = temporaryFolder();
  writeGuard(join(folder.path, "mine"), "@acme/mine");
  await hookpkg(folder.path, "install", "./mine");
  const before = lockText(folder.path);
  writeFileSync(join(folder.path, "mine/guard.ts"), `${GUARD} `);
  expect(await refusal(folder.path, "install", "--frozen")).toEqual([4, "E_FROZEN"]);
  writeFileSync(lockFile(folder.path), '{"lock":1,"packages":{}}');
  expect(await refusal(folder.path, "install", "--frozen")).toEqual([4, "E_FROZEN"]);
  writeFileSync(lockFile(folder.path), before);
  writeFileSync(join(folder.path, ".hookpkg/project.json"), '{"packages":{}}');
  expect(await refusal(folder.path, "install", "--frozen")).toEqual([4, "E_FROZEN"]);
  expect(lockText(folder.path)).toBe(before);
});

test.each([
  ["a name that is none", ["install", "left-pad"], [64, "E_USAGE"]],
  ["a range that is none", ["install", "@acme/x@newest!"], [64, "E_USAGE"]],
  ["a folder outside", ["install", "../x"], [1, "E_LOCAL_OUTSIDE"]],
  ["the project itself", ["install", "./"], [1, "E_LOCAL_OUTSIDE"]],
  ["a folder that is not there", ["install", "./nothing"], [1, "E_FOLDER_MISSING"]],
  ["an archive that is not there", ["install", "./nothing.tar"], [1, "E_FILE_READ"]],
  ["an archive of garbage", ["install", "./garbage.tar"], [4, "E_ARCHIVE_NOT_TAR"]],
  ["a folder of faults", ["install", "./faulty"], [1, "E_PACKAGE_INVALID"]],
  ["a scope without a registry", ["install", "@acme/x"], [1, "E_REGISTRY_UNKNOWN"]],
  ["a registry that is none", ["install", "@acme/x", "--registry", "ftp://x"], [1, "E_REGISTRY_URL"]],
  [
    "a registry that nobody serves",
    ["install", "@acme/x", "--registry", "http://127.0.0.1:9"],
    [1, "E_REGISTRY_UNREACHABLE"],
  ],
  ["what this machine has not", ["install", "./wants"], [1, "E_REQUIRES"]],
  ["no network", ["install", "@acme/x", "--registry", "http://127.0.0.1:9", "--offline"], [1, "E_OFFLINE"]],
  ["frozen with a name", ["install", "--frozen", "./faulty"], [64, "E_USAGE"]],
] as const)("%s is refused and leaves no project behind", async (_what, args, want) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "garbage.tar"), "x".repeat(4096));
  mkdirSync(join(folder.path, "faulty"));
  writeFileSync(join(folder.path, "faulty/hookpkg.json"), "{");
  writeGuard(join(folder.path, "wants"), "@acme/wants", "1.0.0", { requires: { programs: ["no-such-program"] } });
  expect(await refusal(folder.path, ...args)).toEqual([...want]);
  expect(existsSync(join(folder.path, ".hookpkg"))).toBe(false);
});

test.each([
  ["garbage", "{", [1, "E_JSON"]],
  ["a key twice", '{"lock":1,"lock":1,"packages":{}}', [1, "E_JSON_DUPLICATE_KEY"]],
  ["a way out of the project", '{"lock":1,"packages":{"file:./../x":{}}}', [1, "E_LOCK_FILE"]],
  ["a field too many", '{"lock":1,"packages":{},"x":1}', [1, "E_LOCK_FILE"]],
  ["depth", "[".repeat(100_000), [1, "E_JSON_TOO_DEEP"]],
] as const)("a lock of %s is refused and stays as it is", async (_what, text, want) => {
  using folder = temporaryFolder();
  writeGuard(join(folder.path, "mine"), "@acme/mine");
  mkdirSync(join(folder.path, ".hookpkg"));
  writeFileSync(lockFile(folder.path), text);
  expect(await refusal(folder.path, "install", "./mine")).toEqual([...want]);
  expect(lockText(folder.path)).toBe(text);
});

test("a linked .hookpkg or lock is not followed", async () => {
  using folder = temporaryFolder();
  writeGuard(join(folder.path, "mine"), "@acme/mine");
  mkdirSync(join(folder.path, "elsewhere"));
  symlinkSync(join(folder.path, "elsewhere"), join(folder.path, ".hookpkg"));
  expect(await refusal(folder.path, "install", "./mine")).toEqual([1, "E_PROJECT_FOLDER"]);
  expect(readdirSync(join(folder.path, "elsewhere"))).toEqual([]);
  rmSync(join(folder.path, ".hookpkg"));
  mkdirSync(join(folder.path, ".hookpkg"));
  writeFileSync(join(folder.path, "victim"), "keep");
  symlinkSync(join(folder.path, "victim"), lockFile(folder.path));
  expect(await refusal(folder.path, "install", "./mine")).toEqual([1, "E_FILE_READ"]);
  expect(readFileSync(join(folder.path, "victim"), "utf8")).toBe("keep");
});

test("installs in one project at once lose nothing", async () => {
  using folder = temporaryFolder();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) writeGuard(join(folder.path, name), `@acme/${name}`);
  await hookpkg(folder.path, "init");
  const ends = await Promise.all(names.map((name) => hookpkg(folder.path, "install", `./${name}`)));
  expect(ends.map(({ code }) => code)).toEqual(names.map(() => 3));
  expect(Object.keys(JSON.parse(lockText(folder.path)).packages).sort()).toEqual(names.map((name) => `file:./${name}`));
});

test("an install that is killed leaves the old lock or the new one", async () => {
  using folder = temporaryFolder();
  for (const name of ["a", "b"]) writeGuard(join(folder.path, name), `@acme/${name}`);
  await hookpkg(folder.path, "install", "./a");
  for (let round = 0; round < 8; round++) {
    const program = started(folder.path, "install", "./b");
    await Bun.sleep(round * 25);
    program.kill("SIGINT");
    await program.exited;
    expect(["file:./a", "file:./a,file:./b"]).toContain(Object.keys(JSON.parse(lockText(folder.path)).packages).join());
  }
  expect((await hookpkg(folder.path, "install", "./b")).code).toBe(3);
});

test("a teammate gets the same bytes by lock and project file, once the registry's root is said", async () => {
  using mine = temporaryFolder();
  using hers = temporaryFolder();
  const serving = await serveRegistry({ dataDir: join(mine.path, "registry") });
  try {
    writeGuard(join(mine.path, "guard"), "@acme/guard");
    const at = ["--registry", serving.url, "--registry-root", serving.root];
    await hookpkg(mine.path, "keygen", "--scope", "@acme", "--no-passphrase");
    await hookpkg(mine.path, "scope", "claim", "@acme", ...at);
    expect(await hookpkg(mine.path, "publish", "guard")).toMatchObject({ code: 0 });
    expect((await hookpkg(mine.path, "install", "@acme/guard")).code).toBe(3);
    cpSync(join(mine.path, ".hookpkg"), join(hers.path, ".hookpkg"), { recursive: true });
    expect(await refusal(hers.path, "install", "--frozen")).toEqual([1, "E_NO_TERMINAL"]);
    expect(await refusal(hers.path, "install", "--frozen", "--registry-root", `sha256:${"0".repeat(64)}`)).toEqual([
      4,
      "E_VERIFY_ROOT",
    ]);
    expect(await refusal(hers.path, "install", "--frozen", "--registry-root", serving.root)).toEqual([3, ""]);
    expect(lockText(hers.path)).toBe(lockText(mine.path));
    const stores = [mine, hers].map(({ path }) => readdirSync(join(path, "home/data/store")));
    expect(stores[0]).toEqual(stores[1] ?? []);
  } finally {
    await serving.stop();
  }
});

test("uninstall takes the line away and leaves what was approved running until a person consents", async () => {
  using folder = temporaryFolder();
  writeGuard(join(folder.path, "mine"), "@acme/mine");
  await hookpkg(folder.path, "install", "./mine");
  const key = join(folder.path, "k.key");
  await hookpkg(folder.path, "keygen", "--automation", key, "--no-passphrase");
  const { result } = await hookpkgJson(folder.path, "list");
  const identity: string = JSON.parse(JSON.stringify(dataOf(result))).packages[0].handlers[0].identity;
  expect((await hookpkg(folder.path, "approve", "--identity", identity, "--key", key)).code).toBe(0);
  const removed = await hookpkgJson(folder.path, "uninstall", "./mine");
  expect([removed.code, dataOf(removed.result)]).toMatchObject([
    3,
    { removed: ["file:./mine"], waiting: ["file:./mine#g"] },
  ]);
  expect(JSON.parse(lockText(folder.path)).packages).toEqual({});
  expect(JSON.stringify(dataOf((await hookpkgJson(folder.path, "try", "bad")).result))).toContain(
    '"decision":"cancel"',
  );
  expect((await hookpkg(folder.path, "approve", "--drop", "file:./mine#g", "--key", key)).code).toBe(0);
  expect(JSON.stringify(dataOf((await hookpkgJson(folder.path, "try", "bad")).result))).toContain(
    '"decision":"continue"',
  );
  expect(await refusal(folder.path, "uninstall", "./mine")).toEqual([1, "E_NOT_INSTALLED"]);
});
