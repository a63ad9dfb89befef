import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "../test-folder.ts";

const ROOMS = ["runtime/sandbox", "runtime/run", "runtime/net"];
const UNPRIVILEGED = 4242;
const asRoot = process.getuid?.() === 0;

// The sandbox is made in two ways, and whoever runs the tests can try one of them only; root can become a user.
if (asRoot) {
  test("everything above, once more as a user with a namespace of its own", () => {
    const { bun, tree } = readable();
    const run = asUser([bun, "test", "--isolate", ...ROOMS], tree);
    const said = run.stderr.toString();
    if (run.exitCode !== 0) console.error(said.replace(/^\(pass\).*\n/gm, ""));
    expect({ exit: run.exitCode, failed: / (\d+) fail/.exec(said)?.[1] }).toEqual({ exit: 0, failed: "0" });
  }, 300_000);
} else {
  test(`NOT TRIED as root: these tests ran as user ${process.getuid?.()} only`, () => {});
}

function asUser(command: readonly string[], cwd: string) {
  const identity = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: testFolder() };
  Bun.spawnSync(["chown", `${UNPRIVILEGED}`, env.HOME]);
  return Bun.spawnSync(["setpriv", ...identity, "--", ...command], { cwd, env, stdout: "pipe", stderr: "pipe" });
}

/** The checkout and this bun, or copies where they lie below a folder that is closed to others. */
function readable(): { bun: string; tree: string } {
  const tree = join(import.meta.dir, "../..");
  const mayUse = (flag: string, path: string) => asUser(["/usr/bin/test", flag, path], "/").exitCode === 0;
  if (mayUse("-x", process.execPath) && mayUse("-r", join(tree, "package.json")))
    return { bun: process.execPath, tree };
  const copy = testFolder();
  cpSync(tree, join(copy, "tree"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith("/.git"),
  });
  cpSync(process.execPath, join(copy, "bun"), { dereference: true });
  Bun.spawnSync(["chmod", "-R", "a+rX", copy]);
  return { bun: join(copy, "bun"), tree: join(copy, "tree") };
}
