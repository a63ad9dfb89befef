import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";
import { approveAll, eventText, GUARD, must, testProject, withStdin, writeGuard } from "../trust/test-project.ts";
import { checkClock } from "./check.ts";

setDefaultTimeout(60_000);

const journalOf = (base: string) => {
  const folder = join(base, "home/state/journal");
  return join(folder, readdirSync(folder)[0] ?? "", "journal.jsonl");
};

test("log shows what ran and what the host was told, the newest last, secrets out", async () => {
  using base = await testProject();
  expect((await must(hookpkg(base.path, "log"))).out).toBe("nothing has run here yet\n");
  await approveAll(base.path);
  const token = `ghp_${"a1B2".repeat(9)}`;
  for (const command of ["ls", `rm -rf ${token}`])
    await must(withStdin(base.path, ["run", "codex"], { stdin: eventText(base.path, command) }));
  const { result } = await hookpkgJson(base.path, "log");
  expect(result).toMatchObject({
    data: {
      lines: [
        { handler: GUARD, host: "codex", event: "PreToolUse", tool: "Bash", answer: "continue", told: "continue" },
        { handler: GUARD, outcome: "answered", answer: "cancel", told: "cancel", state: "trusted" },
      ],
    },
  });
  const { out } = await hookpkg(base.path, "log", "--limit", "1");
  expect(out.trim().split("\n")).toEqual([expect.stringContaining("cancel")]);
  expect(JSON.stringify(result) + out).not.toContain(token);
});

test("log reads on over a line that a kill cut, and strips what steers a terminal", async () => {
  using base = await testProject();
  await approveAll(base.path);
  await must(withStdin(base.path, ["run", "codex"], { stdin: eventText(base.path, "ls") }));
  appendFileSync(journalOf(base.path), '{"v":1,"at":"2026');
  await must(withStdin(base.path, ["run", "codex"], { stdin: eventText(base.path, "ls") }));
  const { result } = await hookpkgJson(base.path, "log");
  expect(result).toMatchObject({ data: { lines: [{}, {}] } });
  for (const limit of ["0", "-1", "x", "1e9", "9999999"])
    expect(await refusal(base.path, "log", `--limit=${limit}`)).toEqual([64, "E_USAGE"]);
});

test("explain says what a code means and what mends it, in any case; an unknown one gets the nearest", async () => {
  using base = temporaryFolder();
  for (const code of ["E_STORE_DIFFERS", "e_store_differs"])
    expect((await must(hookpkg(base.path, "explain", code))).out).toMatch(/^E_STORE_DIFFERS: .+\n {2}\S/);
  expect(await hookpkgJson(base.path, "explain", "E_SERVE_IN_USE")).toMatchObject({
    code: 0,
    result: { data: { code: "E_SERVE_IN_USE", hint: expect.any(String) } },
  });
  for (const found of ["W_GUARD_OPEN", "E_FIELD_UNKNOWN"])
    expect((await must(hookpkg(base.path, "explain", found))).out).toMatch(/^[EW]_\w+: .+\n {2}hookpkg validate/);
  const { code, result } = await hookpkgJson(base.path, "explain", "E_STORE_DIFERS");
  expect([code, result]).toMatchObject([1, { error: { code: "E_CODE_UNKNOWN", facts: { meant: "E_STORE_DIFFERS" } } }]);
  for (const words of [
    ["E_USAGE", "E_JSON"],
    ["E_USAGE", "--at", "1"],
    ["--at", "0"],
    ["--at", "x"],
  ])
    expect(await refusal(base.path, "explain", ...words)).toEqual([64, "E_USAGE"]);
});

type Checks = { code: number; bad: { name: string; mend?: string }[] };

async function doctor(base: string, ...words: string[]): Promise<Checks> {
  const { code, result } = await hookpkgJson(base, "doctor", ...words);
  const checks =
    result.ok && "checks" in result.data ? (result.data.checks as (Checks["bad"][number] & { ok: boolean })[]) : [];
  return { code, bad: checks.filter(({ ok }) => !ok) };
}

test("doctor finds nothing in a whole home, and says what to do about what is broken", async () => {
  using base = await testProject();
  await approveAll(base.path);
  expect(await doctor(base.path)).toEqual({ code: 0, bad: [] });
  const home = join(base.path, "home");
  chmodSync(join(home, "state"), 0o755);
  writeFileSync(join(home, "config/keys/approver.key"), "{}", { mode: 0o644 });
  writeFileSync(join(base.path, ".hookpkg/lock.json"), "[]");
  const { code, bad } = await doctor(base.path);
  expect(code).toBe(1);
  expect(bad.map(({ mend }) => mend)).toEqual([
    `chmod 700 ${home}/state`,
    `chmod 600 ${home}/config/keys/approver.key`,
    `mv ${base.path}/.hookpkg/lock.json ${base.path}/.hookpkg/lock.json.broken && hookpkg install --project ${base.path}`,
  ]);
  chmodSync(join(home, "state"), 0o700);
  writeFileSync(join(home, "state/projects.json"), "{");
  writeFileSync(join(home, "config/scopes.json"), "{", { mode: 0o600 });
  const more = await doctor(base.path);
  expect(more.bad.map(({ name }) => name)).toEqual(["approver's key", "projects", "registries"]);
});

test("a registry that is gone is a failure, unless nobody is asked", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "init");
  const server = Bun.serve({ port: 0, fetch: () => new Response("no") });
  const url = `http://127.0.0.1:${server.port}`;
  await server.stop(true);
  const registries = { [url]: { root: `sha256:${"0".repeat(64)}`, checkpoint: null } };
  await Bun.write(join(base.path, "home/config/scopes.json"), JSON.stringify({ v: 1, registries, scopes: {} }));
  chmodSync(join(base.path, "home/config"), 0o700);
  expect(await doctor(base.path)).toMatchObject({ code: 1, bad: [{ name: `registry ${url}` }] });
  expect(await doctor(base.path, "--offline")).toEqual({ code: 0, bad: [] });
});

test("folders that are not the person's own are the one thing that is said", async () => {
  using base = temporaryFolder();
  writeFileSync(join(base.path, "home"), "a file");
  const { code, bad } = await doctor(base.path);
  expect([code, bad]).toMatchObject([1, [{ name: "home" }]]);
});

test("a clock before or long after this version was made cannot be right", () => {
  for (const [date, ok] of [
    ["1970-01-01", false],
    ["2024-12-31", false],
    ["2027-01-01", true],
    ["2077-01-01", false],
  ] as const)
    expect(checkClock(new Date(date)).ok).toBe(ok);
});

/** Runs what doctor says in bash, with the program under its name; what follows in brackets is for people. */
function mended(base: string, mend: string): void {
  const program = `hookpkg() { '${process.execPath}' '${join(import.meta.dir, "../main.ts")}' "$@" --home "$HOOKPKG_HOME"; }`;
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOOKPKG_HOME: join(base, "home") };
  Bun.spawnSync(["bash", "-c", `${program}; ${mend.replace(/ {2}\(.*\)$/, "")}`], { cwd: "/", env });
}

test("what doctor says mends it, whatever signs are in the path", async () => {
  using base = temporaryFolder();
  const path = join(base.path, `it's $(touch x) "a" ;b`);
  mkdirSync(path);
  writeGuard(path, {});
  await must(hookpkg(path, "install", "./guard"), 3);
  await approveAll(path);
  const home = join(path, "home");
  const breaks: (() => void)[] = [
    () => chmodSync(join(home, "state"), 0o755),
    () => chmodSync(join(home, "state/closed"), 0o500),
    () => writeFileSync(join(path, ".hookpkg/lock.json"), "<<<<<<< HEAD"),
    () => writeFileSync(join(home, "config/config.json"), "{", { mode: 0o600 }),
    () => writeFileSync(join(home, "config/scopes.json"), "[]", { mode: 0o600 }),
    () => writeFileSync(join(home, "state/sessions/x.json"), "{", { mode: 0o600 }),
    () => rmSync(join(path, "guard"), { recursive: true }),
  ];
  mkdirSync(join(home, "state/sessions"), { recursive: true, mode: 0o700 });
  for (const [n, broke] of breaks.entries()) {
    broke();
    const { bad } = await doctor(path);
    expect([n, bad.length]).toEqual([n, 1]);
    mended(path, bad[0]?.mend ?? "");
    expect([n, bad[0]?.mend, (await doctor(path)).bad]).toEqual([n, bad[0]?.mend, []]);
  }
});

test("a fault of a file says which and where, once", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeFileSync(join(base.path, "home/config/keys/approvers.json"), '{\n "v": 1\n "keys": []}', { mode: 0o600 });
  const { out } = await hookpkg(base.path, "doctor");
  expect(out.match(/^FAIL {2}\S.*/gm)).toEqual([expect.stringContaining("approvers")]);
  expect(out.replace(/\s+/g, " ")).toMatch(/approvers\.json", line 3, column 2/);
  const status = await hookpkg(base.path, "status");
  expect(status.code).toBe(1);
  expect(status.out).toContain("approvers.json [E_JSON]");
  expect(status.out).not.toContain("approvals.json");
});

test("a command that is nearly one, a transposition too, gets it; advice has the case's own names", async () => {
  using base = temporaryFolder();
  expect((await hookpkg(base.path, "statsu")).err).toContain("did you mean: hookpkg status");
  expect((await hookpkg(base.path, "install", "--frzoen")).err).toContain("hookpkg install --help shows");
  const quiet = await hookpkg(base.path, "list", "--quiet");
  expect([quiet.code, quiet.err]).toEqual([1, expect.stringContaining("E_PROJECT_MISSING")]);
});
