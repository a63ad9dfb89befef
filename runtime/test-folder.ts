import { afterAll } from "bun:test";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
afterAll(() => {
  // A store in one is sealed, another was made deeper than a path can be, and a test may have removed its own.
  const remove = 'for at; do chmod -R u+rwx "$at"; rm -rf "$at"; done';
  for (let some = made.splice(0, 100); some.length > 0; some = made.splice(0, 100))
    Bun.spawnSync(["/bin/sh", "-c", remove, "sh", ...some], { stderr: "ignore" });
});

/** For tests: a fresh folder, gone after the test file. */
export function testFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-test-")));
  made.push(folder);
  return folder;
}
