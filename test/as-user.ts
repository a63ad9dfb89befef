import { afterAll } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./quickstart/stage.ts";

/** For tests: a user without a line in the password database, as `docker run --user` makes them. */
const UNPRIVILEGED = 4242;

/** The sandbox, sealed folders and homes are other things for root; whoever is root can become a user and try both. */
export const canBecomeUser = process.getuid?.() === 0;

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of the user's own, gone after the test file. */
export function usersFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-user-"));
  made.push(folder);
  Bun.spawnSync(["chown", `${UNPRIVILEGED}`, folder]);
  return folder;
}

/** Runs the words as that user, with a HOME that is theirs. */
export function asUser(words: readonly string[], cwd: string, home = usersFolder()) {
  const identity = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home };
  return Bun.spawnSync(["setpriv", ...identity, "--", ...words], { cwd, env, stdout: "pipe", stderr: "pipe" });
}

/** This bun, and the checkout to read; copies where they lie below a folder that is closed to others. */
export function readable(): { bun: string; tree: string } {
  const mayUse = (flag: string, path: string) => asUser(["/usr/bin/test", flag, path], "/").exitCode === 0;
  const [isBun, isTree] = [mayUse("-x", process.execPath), mayUse("-r", join(ROOT, "package.json"))];
  return { bun: isBun ? process.execPath : copiedBun(), tree: isTree ? ROOT : copiedTree() };
}

function copiedBun(): string {
  const bun = join(usersFolder(), "bun");
  cpSync(process.execPath, bun, { dereference: true });
  Bun.spawnSync(["chmod", "a+rx", bun]);
  return bun;
}

function copiedTree(): string {
  const folder = usersFolder();
  const tree = join(folder, "tree");
  cpSync(ROOT, tree, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith("/.git") });
  Bun.spawnSync(["chmod", "-R", "a+rX", folder]);
  return tree;
}
