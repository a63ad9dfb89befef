import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./quickstart/stage.ts";

const MINUTES = 60_000;

/** The README's first command, as it stands: it checks every step itself and exits with 1 where one did not happen. */
async function quickstart(program?: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? "", ...(program === undefined ? {} : { HOOKPKG_PROGRAM: program }) };
  const command = [process.execPath, join(ROOT, "test/quickstart/quickstart.ts")];
  const child = Bun.spawn(command, { cwd: ROOT, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect({ exit, end: stdout.trimEnd().split("\n").at(-1), stderr }).toEqual({
    exit: 0,
    end: "All of it happened.",
    stderr: "",
  });
  expect(stdout.match(/✓/g)?.length).toBeGreaterThanOrEqual(16);
}

test("the quickstart happens, from source", () => quickstart(), 3 * MINUTES);

test(
  "the whole journey happens with the compiled binary, too",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "hookpkg-binary-"));
    try {
      const program = join(folder, "hookpkg");
      const build = Bun.spawn([process.execPath, join(ROOT, "cli/build.ts"), program], {
        cwd: ROOT,
        stdout: "ignore",
        stderr: "pipe",
      });
      expect({ exit: await build.exited, stderr: await build.stderr.text() }).toMatchObject({ exit: 0 });
      await quickstart(program);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  5 * MINUTES,
);
