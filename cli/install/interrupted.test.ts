import { expect, test } from "bun:test";
import { atTerminal } from "../author/test-program.ts";
import { guardCode, testProject, waiting, writeGuard } from "../trust/test-project.ts";

test("Ctrl-C after an install says that the lock was written, and approves nothing", async () => {
  using base = await testProject();
  writeGuard(base.path, { code: guardCode("mkfs") });
  const { code, screen } = await atTerminal(base.path, ["install", "./guard"], [["later: it stays", "\u0003"]]);
  expect([code, screen]).toEqual([130, expect.stringContaining("the packages are in the lock")]);
  expect(screen).not.toContain("nothing was changed");
  expect(await waiting(base.path)).toHaveLength(1);
}, 60_000);
