import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "@hookpkg/fault";
import {
  discardFolder,
  fileLines,
  type PackageFile,
  pack,
  placeTree,
  readTree,
  removeTree,
  treePath,
  validateArchive,
} from "./index.ts";

const archive = pack([file("guard.ts", "export {};\n"), file("bin/run.sh", "#!/bin/sh\n", true), file("a/b/c", "")]);
const lines = fileLines(archive.files);
let temp = "";
let store = "";
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), "hookpkg-store-"));
  store = join(temp, "data/store");
});
afterEach(() => {
  discardFolder(temp);
});

test("a placed tree is read-only, whole and the same in memory", async () => {
  const before = process.umask(0o077);
  const path = await placeTree(store, validateArchive(archive.tar));
  process.umask(before);
  expect(path).toBe(treePath(store, archive.tree));
  expect(path).toEndWith(`/${archive.tree.slice("sha256:".length)}`);
  const mode = (name: string) => statSync(join(path, name)).mode & 0o7777;
  expect([".", "bin", "a/b", "guard.ts", "bin/run.sh"].map(mode)).toEqual([0o555, 0o555, 0o555, 0o444, 0o555]);
  const files = await readTree(store, archive.tree);
  expect(fileLines(files)).toEqual(lines);
  expect(readdirSync(store)).toEqual([archive.tree.slice("sha256:".length)]);
});

test("placing again keeps what is there; many at once agree", async () => {
  const path = await placeTree(store, archive);
  const { ino } = statSync(path);
  await Promise.all(Array.from({ length: 8 }, () => placeTree(store, archive)));
  expect(statSync(path).ino).toBe(ino);
  await removeTree(store, archive.tree);
  const paths = await Promise.all(Array.from({ length: 8 }, () => placeTree(store, archive)));
  expect(new Set(paths)).toEqual(new Set([path]));
  expect(readdirSync(store)).toHaveLength(1);
  expect(fileLines(await readTree(store, archive.tree))).toEqual(lines);
});

test("what is not there is missing, and removing it is fine", async () => {
  expect(await codeOf(readTree(store, archive.tree))).toBe("E_STORE_MISSING");
  await placeTree(store, archive);
  await removeTree(store, archive.tree);
  await removeTree(store, archive.tree);
  expect(await codeOf(readTree(store, archive.tree))).toBe("E_STORE_MISSING");
  expect(readdirSync(store)).toEqual([]);
});

const tampers: [name: string, path: string | null, tamper: (tree: string) => void][] = [
  ["one byte", "guard.ts", (tree) => writeFileSync(join(tree, "guard.ts"), "export { };")],
  ["a file more", "evil.ts", (tree) => writeFileSync(join(tree, "evil.ts"), "")],
  ["a hidden file more", ".evil", (tree) => writeFileSync(join(tree, ".evil"), "")],
  ["a package.json more", "package.json", (tree) => writeFileSync(join(tree, "package.json"), "{}")],
  ["a file less", "guard.ts", (tree) => rmSync(join(tree, "guard.ts"))],
  ["another name", "guard.ts", (tree) => renameSync(join(tree, "guard.ts"), join(tree, "guard2.ts"))],
  ["an executable bit more", "guard.ts", (tree) => chmodSync(join(tree, "guard.ts"), 0o755)],
  ["an executable bit less", "bin/run.sh", (tree) => chmodSync(join(tree, "bin/run.sh"), 0o444)],
  ["an empty folder more", "empty/", (tree) => mkdirSync(join(tree, "empty"))],
  [
    "a link in a file's place",
    "guard.ts",
    (tree) => {
      renameSync(join(tree, "guard.ts"), join(temp, "guard.ts"));
      symlinkSync(join(temp, "guard.ts"), join(tree, "guard.ts"));
    },
  ],
  [
    "a link in a folder's place",
    "bin",
    (tree) => {
      renameSync(join(tree, "bin"), join(temp, "bin"));
      symlinkSync(join(temp, "bin"), join(tree, "bin"));
    },
  ],
  [
    "a pipe in a file's place",
    "guard.ts",
    (tree) => {
      rmSync(join(tree, "guard.ts"));
      Bun.spawnSync(["mkfifo", join(tree, "guard.ts")]);
    },
  ],
];

test.each(tampers)("a stored tree with %s differs, and says where", async (_name, path, tamper) => {
  const tree = await placeTree(store, archive);
  for (const folder of [".", "bin"]) chmodSync(join(tree, folder), 0o755);
  for (const name of ["guard.ts", "bin/run.sh"]) chmodSync(join(tree, name), statSync(join(tree, name)).mode | 0o200);
  expect(await codeOf(readTree(store, archive.tree))).toBe("no fault");
  tamper(tree);
  const fault = await faultOf(readTree(store, archive.tree, lines));
  expect([fault?.code, fault?.facts.path]).toEqual(["E_STORE_DIFFERS", path]);
  expect(await codeOf(readTree(store, archive.tree))).toBe("E_STORE_DIFFERS");
  expect(await codeOf(placeTree(store, archive))).toBe("E_STORE_DIFFERS");
  await removeTree(store, archive.tree);
  await placeTree(store, archive);
  expect(fileLines(await readTree(store, archive.tree))).toEqual(lines);
});

test("the store as a link, and a tree as a link, are refused by all who use them", async () => {
  await placeTree(store, archive);
  const link = join(temp, "link");
  symlinkSync(store, link);
  for (const path of [link, `${link}/`]) {
    expect(await codeOf(readTree(path, archive.tree))).toBe("E_STORE_LINK");
    expect(await codeOf(placeTree(path, archive))).toBe("E_STORE_LINK");
    expect(await codeOf(removeTree(path, archive.tree))).toBe("E_STORE_LINK");
  }
  const other = join(temp, "other");
  mkdirSync(other);
  symlinkSync(treePath(store, archive.tree), treePath(other, archive.tree));
  expect(await codeOf(readTree(other, archive.tree))).toBe("E_STORE_LINK");
  expect(await codeOf(placeTree(other, archive))).toBe("E_STORE_LINK");
  await removeTree(other, archive.tree);
  expect(readdirSync(other)).toEqual([]);
  expect(fileLines(await readTree(store, archive.tree))).toEqual(lines);
});

test("a file where the store or a tree should be is no store and no tree", async () => {
  mkdirSync(join(temp, "data"));
  writeFileSync(store, "");
  expect(await codeOf(placeTree(store, archive))).toBe("E_STORE_WRITE");
  rmSync(store);
  mkdirSync(store);
  writeFileSync(treePath(store, archive.tree), "");
  expect(await codeOf(readTree(store, archive.tree))).toBe("E_STORE_DIFFERS");
});

test("a tree of another digest under this name differs", async () => {
  const other = pack([file("guard.ts", "evil")]);
  renameSync(await placeTree(store, other), treePath(store, archive.tree));
  expect(await codeOf(readTree(store, archive.tree))).toBe("E_STORE_DIFFERS");
});

test("a placement that was killed long ago is swept, a recent one is left alone", async () => {
  for (const [name, age] of [
    ["old", 7200],
    ["new", 60],
  ] as const) {
    const path = join(store, `.unfinished-${name}`);
    mkdirSync(join(path, "sub"), { recursive: true });
    writeFileSync(join(path, "sub/x"), "");
    chmodSync(join(path, "sub"), 0o555);
    utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  await placeTree(store, archive);
  expect(readdirSync(store).sort()).toEqual([".unfinished-new", archive.tree.slice("sha256:".length)]);
});

test("killed at any moment, a placement leaves whole trees or none", async () => {
  // Each round gets a little further into an endless row of placements before it is killed.
  const LAST = 11;
  const trees = () => (existsSync(store) ? readdirSync(store) : []).filter((name) => !name.startsWith("."));
  for (let round = 0; round <= LAST; round += 1) {
    const child = Bun.spawn([process.execPath, "-e", placeEndlessly, join(import.meta.dir, "index.ts"), store], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const reader = child.stdout.getReader();
    await reader.read(); // the first tree is begun
    // The last round waits until it has placed something, however slow the machine is.
    while (round === LAST && trees().length === 0) await Bun.sleep(5);
    await Bun.sleep(round * 7);
    child.kill("SIGKILL");
    await child.exited;
  }
  expect(trees().length).toBeGreaterThan(0);
  for (const name of trees()) expect(await readTree(store, `sha256:${name}`)).toHaveLength(40);
}, 30_000);

const placeEndlessly = `
  const [index, store] = process.argv.slice(1);
  const { pack, placeTree } = await import(index);
  const bytes = new Uint8Array(20_000);
  console.log("begun");
  for (;;) {
    crypto.getRandomValues(bytes);
    const files = Array.from({ length: 40 }, (_, n) => ({ path: "d" + (n % 4) + "/f" + n, executable: false, bytes }));
    await placeTree(store, pack(files));
  }`;

function file(path: string, text: string, executable = false): PackageFile {
  return { path, executable, bytes: new TextEncoder().encode(text) };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await faultOf(promise))?.code ?? "no fault";
}

test("a folder with sealed trees in it goes as a whole, also for a user who is not root; a link is not followed", async () => {
  await placeTree(store, archive);
  mkdirSync(join(temp, "kept"));
  writeFileSync(join(temp, "kept/x"), "");
  symlinkSync(join(temp, "kept"), join(temp, "data/link"));
  discardFolder(join(temp, "data"));
  expect([existsSync(join(temp, "data")), existsSync(join(temp, "kept/x"))]).toEqual([false, true]);
  discardFolder(join(temp, "data"));
});
