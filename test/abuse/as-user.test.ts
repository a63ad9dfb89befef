import { expect, test } from "bun:test";
import { asUser, canBecomeUser, readable } from "../as-user.ts";

const ROOMS = ["test/abuse/places.test.ts", "test/abuse/beside.test.ts"];

// The corpus runs as both by itself, and taking parts of the sandbox away is for root alone.
if (canBecomeUser) {
  test("odd places and hostile neighbours, once more as a user", () => {
    const { bun, tree } = readable();
    const run = asUser([bun, "test", "--isolate", ...ROOMS], tree);
    const said = run.stderr.toString();
    if (run.exitCode !== 0) console.error(said.replace(/^\(pass\).*\n/gm, ""));
    expect({ exit: run.exitCode, failed: / (\d+) fail/.exec(said)?.[1] }).toEqual({ exit: 0, failed: "0" });
  }, 300_000);
} else {
  test(`NOT TRIED as root: odd places and neighbours were tried as user ${process.getuid?.()} only`, () => {});
}
