import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, hookpkg, refusal, type Typed, temporaryFolder } from "../author/test-program.ts";
import { approveAll, GUARD, must, stateOf, testProject } from "../trust/test-project.ts";

setDefaultTimeout(60_000);

const lockOf = (base: string) => readFileSync(join(base, ".hookpkg/lock.json"), "utf8");
const QUESTION = "will guard this project no more";

test.each([
  ["at the question", [[QUESTION, "\u0003"]], []],
  [
    "at the key",
    [
      [QUESTION, "y"],
      ["", "\r"],
      ["Passphrase of", "\u0003"],
    ],
    [],
  ],
] satisfies [string, Typed[], string[]][])("Ctrl-C %s leaves lock, project file and approvals", async (_, script) => {
  using base = await testProject();
  const keyed: Typed[] = [
    ["later: it stays", "\u001b[B\u001b[B\r"],
    ["first approval", "\r"],
    ["Passphrase for", "horse\r"],
    ["the same again", "horse\r"],
  ];
  await atTerminal(base.path, ["approve"], keyed);
  const before = [lockOf(base.path), stateOf(base.path)];
  const { code, screen } = await atTerminal(base.path, ["uninstall", "./guard"], script);
  expect([code, screen]).toEqual([130, expect.stringContaining("nothing was changed")]);
  expect([lockOf(base.path), stateOf(base.path)]).toEqual(before);
});

test("no means: out of the lock, and it runs on", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const { code, screen } = await atTerminal(
    base.path,
    ["uninstall", "./guard"],
    [
      [QUESTION, "n"],
      ["", "\r"],
    ],
  );
  expect([code, screen]).toEqual([3, expect.stringContaining(`hookpkg approve --drop '${GUARD}'`)]);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
});

test("a package is taken out by the name that the lock has, from any folder", async () => {
  using base = await testProject();
  using other = temporaryFolder();
  const away = ["--home", join(base.path, "home"), "--project", base.path];
  expect((await refusal(other.path, "uninstall", "file:./other", ...away))[1]).not.toBe("E_LOCAL_OUTSIDE");
  await must(hookpkg(base.path, "uninstall", "file:./guard", "--project", base.path));
  expect(JSON.parse(lockOf(base.path)).packages).toEqual({});
});

test("installing nothing says so and makes no project; a folder that is meant is named", async () => {
  using base = await testProject();
  using empty = temporaryFolder();
  expect(await hookpkg(empty.path, "install")).toMatchObject({
    code: 0,
    out: expect.stringContaining("nothing to install"),
  });
  expect((await refusal(empty.path, "list"))[1]).toBe("E_PROJECT_MISSING");
  expect(Object.keys(stateOf(base.path)).some((path) => path.endsWith("projects.json"))).toBe(true);
  expect((await hookpkg(base.path, "install", "guard")).err).toContain("meant: ./guard");
});
