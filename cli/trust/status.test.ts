import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  guardCode,
  must,
  stateOf,
  testProject,
  withStdin,
  writeGuard,
} from "./test-project.ts";

setDefaultTimeout(60_000);

test("outside every project there is the sandbox to tell of; an unknown folder is an error", async () => {
  using base = temporaryFolder();
  const { code, result } = await hookpkgJson(base.path, "status");
  expect([code, result]).toEqual([
    0,
    { ok: true, data: { project: null, sandbox: { available: true }, handlers: [], hosts: [], notes: [] } },
  ]);
  for (const command of ["list", "diff", "approve", "log"])
    expect(await refusal(base.path, command)).toEqual([1, "E_PROJECT_MISSING"]);
  expect(await refusal(base.path, "status", "--project", join(base.path, "none"))).toEqual([1, "E_PROJECT_MISSING"]);
});

test("list and status show the same states, by package and by state; looking changes nothing", async () => {
  using base = await testProject();
  const before = stateOf(base.path);
  const listed = await hookpkgJson(base.path, "list");
  expect([listed.code, listed.result]).toMatchObject([
    3,
    {
      data: {
        packages: [{ name: "file:./guard", version: "1.0.0", handlers: [{ handler: GUARD, state: "untrusted" }] }],
      },
    },
  ]);
  expect((await hookpkg(base.path, "status")).code).toBe(3);
  expect((await hookpkg(base.path, "list", "--identity")).out).toMatch(/hk1:[\w-]{43}/);
  expect(stateOf(base.path)).toEqual(before);
  await approveAll(base.path);
  expect(await hookpkgJson(base.path, "list")).toMatchObject({
    code: 0,
    result: { data: { packages: [{ handlers: [{ state: "trusted" }] }] } },
  });
});

test("a registered project is found without its folder: what was approved there runs on, and everything says so", async () => {
  using base = await testProject();
  await approveAll(base.path);
  rmSync(join(base.path, ".hookpkg"), { recursive: true });
  mkdirSync(join(base.path, "deep/er"), { recursive: true });
  const main = [process.execPath, join(import.meta.dir, "../main.ts")];
  const from = (...words: string[]) => {
    const run = Bun.spawnSync([...main, ...words], { cwd: join(base.path, "deep/er"), env: {} });
    return { out: run.stdout.toString(), err: run.stderr.toString() };
  };
  const home = ["--home", join(base.path, "home")];
  const status = from("status", ...home);
  expect(status.out).toContain(`project: ${base.path}`);
  expect(status.out).toContain(`${base.path} has no .hookpkg any more`);
  expect(from("list", ...home).out).toContain("#no-rm");
  expect(from("approve", "--list", ...home).out).toContain(GUARD);
  expect(from("diff", ...home).err).toContain("has no .hookpkg any more");
  mkdirSync(join(base.path, "home/none"));
  expect(from("list", "--project", join(base.path, "home/none"), ...home).err).toBe("");
  const tried = from("try", "rm -rf x", ...home);
  expect([tried.out, tried.err]).toEqual([
    expect.stringContaining("cancelled"),
    expect.stringContaining("no .hookpkg"),
  ]);
});

test("status is loud and not 0 about what is held, what cannot be read, and a sandbox that is not there", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeFileSync(join(base.path, ".hookpkg/lock.json"), '{\n "lock": 1,\n}');
  const broken = await hookpkg(base.path, "status");
  expect([broken.code, broken.out]).toEqual([1, expect.stringContaining("lock.json, line 3, column 1 [E_JSON]")]);
  expect(broken.out.match(/E_JSON/g)).toHaveLength(1);
  await must(hookpkg(base.path, "uninstall", "./guard"), 1);
  rmSync(join(base.path, ".hookpkg/lock.json"));
  await must(hookpkg(base.path, "install"));
  const none = ["bwrap", "--dev-bind", "/", "/", "--bind", "/dev/null", "/usr/bin/bwrap", "--"];
  const main = [process.execPath, join(import.meta.dir, "../main.ts"), "--home", join(base.path, "home")];
  for (const command of ["status", "list"]) {
    const { stdout, exitCode } = Bun.spawnSync([...none, ...main, command], { cwd: base.path, env: {} });
    expect([command, exitCode]).toEqual([command, command === "status" ? 6 : 0]);
    expect(stdout.toString()).toMatch(/no-rm held: what it guards is cancelled, .*\s+\[E_SANDBOX/);
  }
  await must(hookpkg(base.path, "status"));
});

test("status is not 0 while what was approved does not guard: switched off, in safe mode, failing at its last call", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const key = ["--key", join(base.path, "ci.key")];
  for (const [off, loudly] of [
    [["disable", GUARD], "1 handler OFF"],
    [["safe-mode"], "SAFE MODE"],
  ] as const) {
    await must(hookpkg(base.path, ...off, ...key));
    expect(await hookpkg(base.path, "status")).toMatchObject({ code: 1, out: expect.stringContaining(loudly) });
    await must(hookpkg(base.path, ...off, "--undo", ...key));
    await must(hookpkg(base.path, "status"));
  }
  const asked = async () => must(withStdin(base.path, ["run", "native"], { stdin: eventText(base.path, "ls") }));
  writeGuard(base.path, { code: "export default () => { throw new Error('broken'); };\n" });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  await must(hookpkg(base.path, "status"));
  await asked();
  const failing = await hookpkg(base.path, "status");
  expect([failing.code, failing.out]).toEqual([1, expect.stringContaining(`!! ${GUARD} is failing since`)]);
  writeGuard(base.path, {});
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  expect((await must(hookpkg(base.path, "status"))).out).not.toContain("failing");
});

test("what the journal says of a handler that was let go is no failure of today", async () => {
  using base = await testProject();
  writeGuard(base.path, { code: "export default () => { throw new Error('broken'); };\n" });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  await must(withStdin(base.path, ["run", "native"], { stdin: eventText(base.path, "ls") }));
  expect((await hookpkg(base.path, "stats")).out).toContain("ALWAYS FAILING");
  await must(hookpkg(base.path, "uninstall", "./guard"), 3);
  await must(hookpkg(base.path, "approve", "--drop", GUARD, "--key", join(base.path, "ci.key")));
  expect((await must(hookpkg(base.path, "status"))).out).not.toContain("failing");
  const stats = await hookpkg(base.path, "stats");
  expect(stats.out).toContain("it is approved here no more");
  expect(stats.out).not.toContain("FAILING");
});

test("a live session is told of until it ends", async () => {
  using base = await testProject();
  await must(withStdin(base.path, ["run", "codex"], { stdin: eventText(base.path, "ls") }));
  expect((await hookpkg(base.path, "status")).out).toContain("a session of codex is live: s-1, ");
  const end = eventText(base.path, "", { hook_event_name: "SessionEnd", reason: "exit" });
  await must(withStdin(base.path, ["run", "codex"], { stdin: end }));
  expect((await hookpkg(base.path, "status")).out).not.toContain("live");
});

test("what is broken is told, not thrown: the lock, a package, the key", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const keys = join(base.path, "home/config/keys");
  mkdirSync(keys, { recursive: true });
  writeFileSync(join(keys, "approver.key"), "no key", { mode: 0o600 });
  expect((await hookpkg(base.path, "status")).out).toContain("key cannot be read");
  rmSync(join(base.path, "guard"), { recursive: true });
  expect((await hookpkg(base.path, "status")).out).toMatch(
    /problem: there is no such folder: package file:.\/guard \[E_FOLDER_MISSING\]/,
  );
  writeFileSync(join(base.path, ".hookpkg/lock.json"), "{");
  const { out, err } = await hookpkg(base.path, "status");
  expect(out).toMatch(/lock\.json.*\[E_/);
  expect(out + err).not.toMatch(/\n\s+at /);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
  chmodSync(join(base.path, "home/state/approvals.json"), 0o666);
  expect((await hookpkg(base.path, "status")).out).toContain("held");
});

test("diff shows fields, widenings and files; with nothing changed it says so", async () => {
  using base = await testProject();
  await approveAll(base.path);
  expect((await must(hookpkg(base.path, "diff"))).out).toBe("nothing differs from what is approved\n");
  writeGuard(base.path, { code: `${guardCode("mkfs")}// \u202e\n`, handler: { may: ["cancel", "allow"], timeout: 3 } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const { result } = await hookpkgJson(base.path, "diff");
  expect(result).toMatchObject({
    ok: true,
    data: {
      handlers: [
        {
          handler: GUARD,
          from: expect.stringMatching(/^hk1:/),
          to: expect.stringMatching(/^hk1:/),
          changes: expect.arrayContaining([
            { field: "may", before: ["cancel"], after: ["allow", "cancel"], widens: true },
            { field: "timeoutMs", before: 10_000, after: 3000, widens: false },
          ]),
          files: [
            { path: "guard.ts", diff: expect.stringContaining("+// <U+202E>") },
            { path: "hooks/hooks.json", diff: expect.stringContaining('"allow"') },
          ],
        },
      ],
    },
  });
  const { out } = await hookpkg(base.path, "diff", GUARD);
  expect(out).toContain('may: ["cancel"] → ["allow","cancel"] (wider)');
  expect(await refusal(base.path, "diff", "@acme/none")).toEqual([1, "E_HANDLER_UNKNOWN"]);
});
