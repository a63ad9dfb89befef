import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { asUser, canBecomeUser, readable, usersFolder } from "./as-user.ts";

const MINUTES = 60_000;

/** What a person does who is not root: writes and tests a guard, publishes it, approves, looks. */
const JOBS = [
  "packages/archive/store.test.ts",
  "cli/author/test.test.ts",
  "cli/publish/publish.test.ts",
  "cli/trust/approve.test.ts",
  "cli/trust/approval-view.test.ts",
  "cli/trust/status.test.ts",
];

if (canBecomeUser) {
  test(
    "the command's main jobs, once more as a user",
    () => {
      const { bun, tree } = readable();
      const run = asUser([bun, "test", "--isolate", ...JOBS], tree);
      const said = run.stderr.toString();
      if (run.exitCode !== 0) console.error(said.replace(/^\(pass\).*\n/gm, ""));
      expect({ exit: run.exitCode, failed: / (\d+) fail/.exec(said)?.[1] }).toEqual({ exit: 0, failed: "0" });
    },
    10 * MINUTES,
  );

  test("a user whom the password database does not know is told of --home, and no project is left behind", () => {
    const { bun, tree } = readable();
    const folder = usersFolder();
    const run = asUser([bun, `${tree}/cli/main.ts`, "init"], folder);
    expect([run.exitCode, run.stderr.toString()]).toEqual([
      1,
      expect.stringMatching(/--home DIR[\s\S]*\[E_HOME_UNKNOWN\]|\[E_HOME_UNKNOWN\][\s\S]*--home DIR/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
} else {
  test(`NOT TRIED as another user: these jobs ran as user ${process.getuid?.()} only`, () => {});
}
