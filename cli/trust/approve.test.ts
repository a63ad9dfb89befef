import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  guardCode,
  must,
  stateOf,
  testProject,
  waiting,
  withStdin,
  writeGuard,
} from "./test-project.ts";

setDefaultTimeout(60_000);

const NOBODY = `hk1:${"A".repeat(43)}`;

test("what waits is listed with its identity, and exit 3 says that something waits", async () => {
  using base = await testProject();
  const { code, result } = await hookpkgJson(base.path, "approve", "--list");
  expect([code, result]).toMatchObject([
    3,
    { ok: true, data: { waiting: [{ handler: GUARD, state: "untrusted", project: base.path }] } },
  ]);
  expect(await refusal(base.path, "approve", "--list", "@acme/none")).toEqual([1, "E_HANDLER_UNKNOWN"]);
});

test("an automation key approves exactly the identity that was named", async () => {
  using base = await testProject();
  const key = join(base.path, "ci.key");
  await must(hookpkg(base.path, "keygen", "--automation", key));
  const [one] = await waiting(base.path);
  const before = stateOf(base.path);
  expect(await refusal(base.path, "approve", "--identity", NOBODY, "--key", key)).toEqual([1, "E_IDENTITY_UNKNOWN"]);
  expect(await refusal(base.path, "approve", "--identity", "hk1:x", "--key", key)).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "approve", "--identity", `${one?.identity}`)).toEqual([64, "E_USAGE"]);
  expect(stateOf(base.path)).toEqual(before);
  const { code, result } = await hookpkgJson(base.path, "approve", "--identity", `${one?.identity}`, "--key", key);
  expect([code, result]).toMatchObject([0, { ok: true, data: { approved: [GUARD], rejected: [], waiting: [] } }]);
  expect((await hookpkg(base.path, "approve", "--list")).code).toBe(0);
});

test("--yes never approves, and ways are not mixed", async () => {
  using base = await testProject();
  const before = stateOf(base.path);
  for (const words of [["--yes"], ["--yes", "--list"], ["--list", "--identity", NOBODY], ["--drop", GUARD, "extra"]])
    expect(await refusal(base.path, "approve", ...words)).toEqual([64, "E_USAGE"]);
  expect(stateOf(base.path)).toEqual(before);
});

test("without a terminal a piped yes does nothing, and the error says what a script would have to say (F16)", async () => {
  using base = await testProject();
  const before = stateOf(base.path);
  const [one] = await waiting(base.path);
  for (const stdin of ["y\n".repeat(20), ""]) {
    const { code, err } = await withStdin(base.path, ["approve"], { stdin });
    expect(code).toBe(1);
    expect(err).toContain("E_NO_TERMINAL");
    expect(err).toContain(`hookpkg approve --identity ${one?.identity} --key FILE`);
  }
  expect(stateOf(base.path)).toEqual(before);
});

test("a host's marker in the environment is refused, with a key too (F13)", async () => {
  using base = await testProject();
  const key = join(base.path, "ci.key");
  await must(hookpkg(base.path, "keygen", "--automation", key));
  const [one] = await waiting(base.path);
  const before = stateOf(base.path);
  for (const env of [{ CLAUDECODE: "1" }, { CODEX_SANDBOX: "seatbelt" }])
    for (const words of [["approve"], ["approve", "--identity", `${one?.identity}`, "--key", key]]) {
      const { code, err } = await withStdin(base.path, words, { stdin: "y\n", env });
      expect([code, /\[(E_\w+)\]/.exec(err)?.[1]]).toEqual([1, "E_APPROVE_IN_HOST"]);
    }
  expect(stateOf(base.path)).toEqual(before);
  expect((await withStdin(base.path, ["approve", "--list"], { stdin: "", env: { CLAUDECODE: "1" } })).code).toBe(3);
});

test("an automation key waits until the host's session has ended", async () => {
  using base = await testProject();
  const key = join(base.path, "ci.key");
  await must(hookpkg(base.path, "keygen", "--automation", key));
  const [one] = await waiting(base.path);
  const words = ["approve", "--identity", `${one?.identity}`, "--key", key];
  await must(withStdin(base.path, ["run", "codex"], { stdin: eventText(base.path, "ls") }));
  const before = stateOf(base.path);
  expect(await refusal(base.path, ...words)).toEqual([1, "E_APPROVE_SESSION_LIVE"]);
  expect(stateOf(base.path)).toEqual(before);
  const end = eventText(base.path, "", { hook_event_name: "SessionEnd", reason: "exit" });
  await must(withStdin(base.path, ["run", "codex"], { stdin: end }));
  await must(hookpkg(base.path, ...words));
});

test("a change waits and the approved one stays; rejected, it is asked about no more", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeGuard(base.path, { code: guardCode("mkfs") });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const [one] = await waiting(base.path);
  expect(one).toMatchObject({ handler: GUARD, state: "modified" });
  const key = join(base.path, "ci.key");
  const { code, result } = await hookpkgJson(base.path, "approve", "--reject", GUARD, "--key", key);
  expect([code, result]).toMatchObject([0, { data: { rejected: [GUARD], approved: [], waiting: [] } }]);
  expect((await hookpkg(base.path, "status")).code).toBe(0);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
  expect((await hookpkg(base.path, "try", "mkfs x")).out).toContain("would go on");

  // A no is no one-way door: it is shown, and can be taken back.
  const { out } = await hookpkg(base.path, "diff");
  expect(out).toContain("you REJECTED this: changed");
  expect(out).toContain("mkfs");
  await must(hookpkg(base.path, "approve", "--identity", `${one?.identity}`, "--key", key));
  expect((await hookpkg(base.path, "try", "mkfs x")).out).toContain("cancelled");
});

test("a local package is rejected by its folder", async () => {
  using base = await testProject();
  const key = join(base.path, "ci.key");
  await must(hookpkg(base.path, "keygen", "--automation", key));
  await must(hookpkg(base.path, "approve", "--reject", "./guard", "--key", key));
  expect(await waiting(base.path)).toEqual([]);
  expect((await hookpkg(base.path, "approve", "--list")).out).toBe("nothing waits for approval\n");
});

test("to name a handler that does not wait is no error: there is only nothing to decide", async () => {
  using base = await testProject();
  await approveAll(base.path);
  for (const words of [
    ["approve", GUARD],
    ["approve", "./guard"],
    ["approve", "--list", GUARD],
  ])
    expect(await hookpkg(base.path, ...words)).toMatchObject({ code: 0, out: "nothing waits for approval\n", err: "" });
});

test("a guard that the lock drops goes on until the person consents", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeFileSync(join(base.path, ".hookpkg/lock.json"), '{"lock":1,"packages":{}}');
  const [one] = await waiting(base.path);
  expect(one).toMatchObject({ handler: GUARD, state: "modified", change: "dropped" });
  const listed = await hookpkg(base.path, "approve", "--list");
  expect(listed.out).toContain(`hookpkg approve --drop '${GUARD}'`);
  expect(listed.out).not.toContain("hk1:");
  expect((await withStdin(base.path, ["approve"], { stdin: "" })).err).toContain(`hookpkg approve --drop '${GUARD}'`);
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("cancelled");
  const key = join(base.path, "ci.key");
  expect(await refusal(base.path, "approve", "--identity", `${one?.identity}`, "--key", key)).toEqual([
    1,
    "E_IDENTITY_DROPPED",
  ]);
  expect(await refusal(base.path, "approve", "--drop", "file:./guard#other", "--key", key)).toEqual([
    1,
    "E_HANDLER_UNKNOWN",
  ]);
  await must(hookpkg(base.path, "approve", "--drop", GUARD, "--key", key));
  expect((await hookpkg(base.path, "try", "rm -rf x")).out).toContain("no approved handler");
});

test("approved bytes that were changed in the store are held, shown so, and brought back by an install", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const store = join(base.path, "home/data/store");
  for (const tree of readdirSync(store)) {
    chmodSync(join(store, tree, "guard.ts"), 0o644);
    appendFileSync(join(store, tree, "guard.ts"), "// more\n");
  }
  const { out, code } = await hookpkg(base.path, "status");
  expect([code, out]).toEqual([1, expect.stringContaining("E_STORE_DIFFERS")]);
  expect(out).toContain("1 handler held");
  expect((await hookpkg(base.path, "try", "ls")).out).toContain("cancelled");
  expect(await hookpkg(base.path, "doctor")).toMatchObject({
    code: 1,
    out: expect.stringContaining("hookpkg install"),
  });
  await must(hookpkg(base.path, "install"));
  expect((await hookpkg(base.path, "try", "ls")).out).toContain("would go on");
});

test("approvals that somebody else wrote hold the guard, and nothing can be added to them", async () => {
  using base = await testProject();
  await approveAll(base.path);
  const file = join(base.path, "home/state/approvals.json");
  writeFileSync(
    file,
    readFileSync(file, "utf8")
      .replace('"trusted"', '"x"')
      .replace(/"sig": "(.)/, (_, sign) => `"sig": "${sign === "A" ? "B" : "A"}`),
  );
  const key = join(base.path, "ci.key");
  const status = await hookpkg(base.path, "status");
  expect([status.code, status.out]).toEqual([1, expect.stringContaining(`your approvals cannot be read`)]);
  expect(status.out).toContain(file);
  const listed = await hookpkg(base.path, "approve", "--list");
  expect([listed.code, listed.out]).toEqual([1, expect.not.stringContaining("nothing waits")]);
  expect(await refusal(base.path, "approve", "--drop", GUARD, "--key", key)).toEqual([1, "E_HANDLER_UNKNOWN"]);
  expect((await hookpkg(base.path, "doctor")).code).toBe(1);
});
