import { afterEach, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pack, placeTree, readFolder } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { packageFolder, sweepScratch, temporary } from "../test-project.ts";
import { knownTree } from "./known-trees.ts";

afterEach(sweepScratch);

async function placed() {
  const store = temporary();
  const archive = pack(await readFolder(packageFolder("@a/b", { files: { "lib/words.ts": "export {}" } })));
  const folder = await placeTree(store, archive);
  const read = () =>
    knownTree(store, archive.tree).catch((error: unknown) => (isFault(error) ? error.code : String(error)));
  return { folder, read };
}

test("the same bytes are given again, from memory, while the disk looks the same", async () => {
  const { read } = await placed();
  const first = await read();
  expect(await read()).toBe(first);
});

test.each<[string, (folder: string) => void]>([
  ["a byte, the size kept and the time set back", keepLooks],
  ["a mode", (folder) => chmodSync(join(folder, "guard.ts"), 0o555)],
  ["a file too many", (folder) => writeFileSync(join(folder, "new"), "")],
  ["a file that is gone", (folder) => rmSync(join(folder, "lib", "words.ts"))],
  ["the folder", (folder) => renameSync(folder, `${folder}.away`)],
])("a change of %s is seen", async (_, change) => {
  const { folder, read } = await placed();
  open(folder);
  expect(typeof (await read())).not.toBe("string");
  change(folder);
  expect(await read()).toMatch(/^E_STORE_/);
});

function keepLooks(folder: string): void {
  const file = join(folder, "guard.ts");
  const text = readFileSync(file, "utf8");
  chmodSync(file, 0o644);
  writeFileSync(file, text.replace("export", "Export"));
  chmodSync(file, 0o444);
  utimesSync(file, 0, 0);
}

/** The store is read-only, also for who owns it. */
function open(folder: string): void {
  for (const at of [folder, join(folder, "lib")]) chmodSync(at, 0o755);
  expect(readdirSync(folder)).toContain("guard.ts");
}
