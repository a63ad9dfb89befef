import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweepScratch, temporary } from "../test-project.ts";
import { discardData } from "./discard-data.ts";

afterEach(sweepScratch);

const NOBODY = 65_530;

/** As a user whom modes bind; the tests may run as root. */
function asUser(script: string): void {
  const words = ["/bin/sh", "-c", script];
  const isRoot = process.getuid?.() === 0;
  const { exitCode, stderr } = Bun.spawnSync(
    isRoot ? ["/usr/bin/setpriv", `--reuid=${NOBODY}`, "--clear-groups", ...words] : words,
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
}

test("what a package closed, or nested deeper than any path, is removed; what its links lead to stays", () => {
  const base = temporary();
  const folder = join(base, "data");
  const kept = join(base, "kept");
  mkdirSync(folder, { mode: 0o777 });
  mkdirSync(kept);
  writeFileSync(join(kept, "file"), "stays");
  symlinkSync(kept, join(folder, "link"));
  const half = `${"d".repeat(200)}/`.repeat(15); // two of them are longer than a path can be
  for (const tree of [folder, join(base, "lower")]) mkdirSync(join(tree, half), { recursive: true });
  renameSync(join(base, "lower"), join(folder, half, "lower"));
  Bun.spawnSync([
    "/bin/sh",
    "-c",
    `mkdir -p '${folder}/a/b/c' && : > '${folder}/a/b/f' && chmod 000 '${folder}/a/b' '${folder}/a'`,
  ]);
  discardData(folder);
  expect([existsSync(folder), readFileSync(join(kept, "file"), "utf8")]).toEqual([false, "stays"]);
  discardData(folder);
});

test("its owner, no root, removes folders of mode 000", () => {
  const base = temporary();
  Bun.spawnSync(["chmod", "777", base]);
  asUser(
    `mkdir -p '${base}/data/a/b/c' && : > '${base}/data/a/b/f' && chmod 000 '${base}/data/a/b/c' '${base}/data/a/b' '${base}/data/a' '${base}/data'`,
  );
  const module = join(import.meta.dir, "discard-data.ts");
  asUser(`exec '${process.execPath}' -e 'import { discardData } from "${module}"; discardData("${base}/data")'`);
  expect(existsSync(join(base, "data"))).toBe(false);
});
