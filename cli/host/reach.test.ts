import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson } from "../author/test-program.ts";
import { approveAll, must, testProject, waiting, writeGuard } from "../trust/test-project.ts";

setDefaultTimeout(90_000);

/** Attached in a home of its own: `--home` is what hosts' settings lie below. */
async function attachedProject(host: string, folder: string) {
  const base = await testProject();
  mkdirSync(join(base.path, "home", folder), { recursive: true });
  await must(hookpkg(base.path, "attach", host));
  return base;
}

type Listed = { data: { packages: { handlers: { reach: unknown[] }[] }[] } };
const reachIn = async (base: string) => {
  const { result, code } = await hookpkgJson(base, "list");
  return { reach: (result as Listed).data.packages[0]?.handlers[0]?.reach, code };
};

test("what waits or is off is said to run on no host: it would", async () => {
  using base = await attachedProject("claude-code", ".claude");
  const runs = [{ host: "claude-code", reach: "runs", lost: [] as string[] }];
  expect((await reachIn(base.path)).reach).toEqual([{ ...runs[0], once: "approved" }]);
  const installed = await hookpkg(base.path, "install", "./guard");
  expect(installed.out).toContain("would run on claude-code, once approved");
  expect(installed.out).not.toContain("  runs on");
  const listed = async () => (await hookpkg(base.path, "attach", "--list")).out;
  expect(await listed()).toContain("file:./guard#no-rm: would run, once approved\n");
  await approveAll(base.path);
  const way = ["disable", "file:./guard#no-rm", "--key", join(base.path, "ci.key")];
  await must(hookpkg(base.path, ...way));
  expect(await listed()).toContain("file:./guard#no-rm: would run, once on again\n");
  await must(hookpkg(base.path, ...way, "--undo"));
  expect((await reachIn(base.path)).reach).toEqual(runs);
});

test("list and attach --list say that a handler runs; status, that the host has sent nothing yet", async () => {
  using base = await attachedProject("claude-code", ".claude");
  await approveAll(base.path);
  expect((await reachIn(base.path)).reach).toEqual([{ host: "claude-code", reach: "runs", lost: [] }]);
  expect((await hookpkg(base.path, "attach", "--list")).out).toContain("file:./guard#no-rm: runs");
  expect((await hookpkg(base.path, "status")).out).toContain("claude-code: no event yet");
});

test("a switch in the host's settings makes it NEVER, in the settings as they are now", async () => {
  using base = await attachedProject("claude-code", ".claude");
  const file = join(base.path, "home/.claude/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, disableAllHooks: true }));
  expect((await reachIn(base.path)).reach).toMatchObject([{ host: "claude-code", reach: "never" }]);
});

test("install says NEVER of a handler whose matcher no tool of the host has", async () => {
  using base = await attachedProject("gemini-cli", ".gemini");
  writeGuard(base.path, { matcher: "NotebookEdit" });
  const { out } = await hookpkg(base.path, "install", "./guard");
  expect(out).toContain("NEVER on gemini-cli");
});

const NOBODY = "no agent is attached, so nothing asks any of these yet: hookpkg attach\n";

test("with no host attached, install, approve and list say that nothing asks, and name none", async () => {
  using base = await testProject();
  const installed = await hookpkg(base.path, "install", "./guard");
  expect([installed.code, installed.out]).toEqual([3, expect.stringContaining(NOBODY)]);
  expect((await hookpkgJson(base.path, "install", "./guard")).result).toMatchObject({ data: { attached: [] } });
  const identity = (await waiting(base.path))[0]?.identity ?? "";
  await hookpkg(base.path, "keygen", "--automation", join(base.path, "ci.key"), "--no-passphrase");
  const words = ["approve", "--identity", identity, "--key", join(base.path, "ci.key")];
  const approved = await hookpkg(base.path, ...words);
  expect([approved.code, approved.out]).toEqual([0, expect.stringContaining(NOBODY)]);
  expect((await hookpkg(base.path, "list")).out).toContain(NOBODY);
  expect((await hookpkgJson(base.path, "list")).result).toMatchObject({ data: { attached: [] } });
  mkdirSync(join(base.path, "home/.gemini"), { recursive: true });
  await must(hookpkg(base.path, "attach", "gemini-cli"));
  expect((await hookpkg(base.path, "list")).out).not.toContain("no agent is attached");
  expect((await hookpkgJson(base.path, "list")).result).toMatchObject({ data: { attached: ["gemini-cli"] } });
});

test("a handler that no attached host would ever ask is no success, whatever says so", async () => {
  using base = await attachedProject("gemini-cli", ".gemini");
  writeGuard(base.path, { matcher: "NotebookEdit" });
  await hookpkg(base.path, "install", "./guard");
  const identity = (await waiting(base.path))[0]?.identity ?? "";
  await hookpkg(base.path, "keygen", "--automation", join(base.path, "ci.key"), "--no-passphrase");
  const approved = await hookpkg(base.path, "approve", "--identity", identity, "--key", join(base.path, "ci.key"));
  expect([approved.code, approved.out]).toEqual([1, expect.stringContaining("NEVER on gemini-cli")]);
  expect((await hookpkg(base.path, "list")).code).toBe(1);
  const status = await hookpkg(base.path, "status");
  expect([status.code, status.out]).toEqual([1, expect.stringContaining("is NEVER asked")]);
  const way = ["disable", "file:./guard#no-rm", "--key", join(base.path, "ci.key")];
  await must(hookpkg(base.path, ...way));
  const again = await hookpkg(base.path, ...way, "--undo");
  expect([again.code, again.out]).toEqual([1, expect.stringContaining("NEVER on gemini-cli")]);
});
