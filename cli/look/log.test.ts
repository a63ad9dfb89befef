import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, started } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  guardCode,
  must,
  testProject,
  withStdin,
  writeGuard,
} from "../trust/test-project.ts";

setDefaultTimeout(120_000);

const SECOND = "file:./second#no-rm";

/** A project with two guards: one of Bash, one of Write alone. */
async function project() {
  const base = await testProject();
  renameSync(join(base.path, "guard"), join(base.path, "kept"));
  writeGuard(base.path, { code: guardCode("mkfs"), matcher: "Write" });
  renameSync(join(base.path, "guard"), join(base.path, "second"));
  renameSync(join(base.path, "kept"), join(base.path, "guard"));
  await must(hookpkg(base.path, "install", "./second"), 3);
  await approveAll(base.path);
  return base;
}

const event = (base: string, command: string, more: object = {}) =>
  must(withStdin(base, ["run", "native"], { stdin: eventText(base, command, more) }));

const folderOf = (base: string) => {
  const journal = join(base, "home/state/journal");
  return join(journal, readdirSync(journal)[0] ?? "");
};

const dataOf = async (base: string, ...words: string[]) => {
  const { result } = await hookpkgJson(base, ...words);
  return Object(Object(result).data);
};

test("one line for each considered handler, with all that it may tell; filters by handler, package and session", async () => {
  using base = await project();
  await event(base.path, "ls", { session_id: "one", turn_id: "t-7" });
  await event(base.path, "rm -rf x", { session_id: "two" });
  const { lines } = await dataOf(base.path, "log");
  expect(lines).toEqual([
    {
      ...{ v: 1, at: expect.stringMatching(/^\d{4}-.*Z$/), session: "one", turn: "t-7", host: "native" },
      ...{ event: "PreToolUse", tool: "Bash", handler: GUARD, identity: expect.stringMatching(/^hk1:/) },
      ...{ state: "trusted", matched: true, outcome: "answered", answer: "continue" },
      ...{ ms: expect.any(Number), told: "continue" },
    },
    {
      ...{ v: 1, at: lines[0].at, session: "one", turn: "t-7", host: "native", event: "PreToolUse", tool: "Bash" },
      ...{ handler: SECOND, identity: expect.stringMatching(/^hk1:/), state: "trusted", matched: false },
      ...{
        outcome: "not-run",
        why: expect.stringMatching(/^its matcher is Write, and this is Bash, exec_command/),
        ms: 0,
        told: "continue",
      },
    },
    expect.objectContaining({ handler: GUARD, answer: "cancel", why: "no rm -rf here", told: "cancel" }),
    expect.objectContaining({ handler: SECOND, told: "cancel" }),
  ]);
  const handlers = async (...words: string[]) =>
    (await dataOf(base.path, "log", ...words)).lines.map(
      (one: { session: string; handler: string }) => `${one.session} ${one.handler}`,
    );
  expect(await handlers("--handler", GUARD)).toEqual([`one ${GUARD}`, `two ${GUARD}`]);
  expect(await handlers("--handler", "file:./second", "--limit", "1")).toEqual([`two ${SECOND}`]);
  expect(await handlers("--session", "one", "--handler", GUARD)).toEqual([`one ${GUARD}`]);
  expect(await handlers("--session", "none")).toEqual([]);
});

test("a handler that fails says why: outcome, code, first line of stderr; never that it ran", async () => {
  using base = await project();
  writeGuard(base.path, {
    handler: { type: "command", module: undefined, argv: ["/bin/sh", "-c", "echo boom >&2; exit 127"] },
  });
  await approveAll(base.path);
  await event(base.path, "ls");
  const { lines } = await dataOf(base.path, "log", "--handler", GUARD);
  expect(lines).toMatchObject([
    { outcome: "failed", code: expect.stringMatching(/^E_/), stderr: "boom", told: "cancel" },
  ]);
  expect((await must(hookpkg(base.path, "log", "--handler", GUARD))).out).toContain("failed");
});

test("torn lines are reported on stderr and hide nothing", async () => {
  using base = await project();
  await event(base.path, "ls");
  appendFileSync(join(folderOf(base.path), "journal.jsonl"), '{"v":1,"at":"20');
  const { out, err } = await must(hookpkg(base.path, "log"));
  expect([out.trim().split("\n").length, err]).toEqual([2, expect.stringContaining("a line was cut short")]);
});

test("followed, new lines come as they are written, over a rotation; one document a line with --json", async () => {
  using base = await project();
  await event(base.path, "ls");
  const following = started(base.path, "log", "--follow", "--json", "--handler", GUARD, "--limit", "1");
  const reader = following.stdout.getReader();
  let text = "";
  const until = async (count: number) => {
    while (text.split("\n").length <= count) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).told);
  };
  expect(await until(1)).toEqual(["continue"]);
  await event(base.path, "rm -rf x");
  expect(await until(2)).toEqual(["continue", "cancel"]);
  const folder = folderOf(base.path);
  renameSync(join(folder, "journal.jsonl"), join(folder, "journal.1.jsonl"));
  await event(base.path, "ls");
  expect(await until(3)).toEqual(["continue", "cancel", "continue"]);
  following.kill("SIGINT");
  expect(await following.exited).toBe(0);
});

test("followed by a reader that leaves, it ends with the next line", async () => {
  using base = await project();
  await event(base.path, "ls");
  const following = started(base.path, "log", "--follow");
  const reader = following.stdout.getReader();
  await reader.read();
  await reader.cancel();
  for (let n = 0; n < 2; n++) await event(base.path, "ls");
  expect(await following.exited).toBe(0);
});

test("explain says why the last event was decided so: each handler, matched or why not, what the host was told", async () => {
  using base = await project();
  expect(await refusal(base.path, "explain")).toEqual([1, "E_DECISION_NONE"]);
  await event(base.path, "rm -rf x");
  const { out } = await must(hookpkg(base.path, "explain"));
  // The spellings that hosts have for the tool are the tool table's matter.
  const plain = out
    .replace(/^\S+/, "AT")
    .replace(/[\d.]+ ms/, "N ms")
    .replace(/(this is Bash),[\s\S]*/, "$1\n");
  expect(plain).toBe(
    [
      "AT native PreToolUse Bash",
      "the host was told: cancel",
      `  ${GUARD} (trusted): answered: cancel, N ms`,
      "      reacts to PreToolUse of Bash",
      "      said: no rm -rf here",
      `  ${SECOND} (trusted): did not match`,
      "      reacts to PreToolUse of Write",
      "      because its matcher is Write, and this is Bash",
      "",
    ].join("\n"),
  );
});

test("explain goes back by number and by handler", async () => {
  using base = await project();
  for (const command of ["ls", "rm -rf x", "pwd"]) await event(base.path, command);
  await event(base.path, "", { tool_name: "Write", tool_input: { file_path: join(base.path, "x"), content: "" } });
  const told = async (...words: string[]) => {
    const { told: said, tool } = await dataOf(base.path, "explain", ...words);
    return `${tool} ${said}`;
  };
  expect(await told()).toBe("Write continue");
  expect(await told("--at", "3")).toBe("Bash cancel");
  expect(await told("--handler", SECOND, "--at", "4")).toBe("Bash continue");
  expect(await refusal(base.path, "explain", "--at", "5")).toEqual([1, "E_DECISION_NONE"]);
  expect(await refusal(base.path, "explain", "--handler", "@acme/none#x")).toEqual([1, "E_DECISION_NONE"]);
});

test("explain names a failure's code with its meaning and what mends it", async () => {
  using base = await project();
  await Bun.$`rm -rf ${join(base.path, "home/data/store")}`.quiet();
  await event(base.path, "ls");
  expect((await must(hookpkg(base.path, "explain"))).out).toMatch(/\(held\): held[\s\S]*E_STORE_MISSING: .+\n {8}\S/);
});

test("a call that went on rewritten is not said to have just gone on", async () => {
  using base = await testProject();
  const code = 'export default () => ({ answer: "patch", fields: { tool_input: { command: "ls -l" } } });\n';
  writeGuard(base.path, { code, handler: { may: ["patch"], failMode: "open" } });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  await event(base.path, "ls");
  expect((await must(hookpkg(base.path, "log"))).out).toContain("→ continue, patched");
  expect((await must(hookpkg(base.path, "explain"))).out).toContain("the host was told: continue, patched\n");
  expect(await dataOf(base.path, "explain")).toMatchObject({ told: "continue", patched: true });
});

test("stats counts, and names who never matched and who always fails; status says since when", async () => {
  using base = await project();
  expect((await must(hookpkg(base.path, "stats"))).out).toContain("nothing has happened yet that concerns it");
  for (const command of ["ls", "rm -rf x"]) await event(base.path, command);
  const { handlers } = await dataOf(base.path, "stats");
  expect(handlers).toMatchObject([
    { handler: GUARD, considered: 2, runs: 2, cancels: 1, failures: 0, neverMatched: false, alwaysFailing: false },
    { handler: SECOND, considered: 2, runs: 0, p50: null, neverMatched: true, alwaysFailing: false },
  ]);
  expect(handlers[0].p99).toBeGreaterThanOrEqual(handlers[0].p50);
  expect((await must(hookpkg(base.path, "stats"))).out).toContain("NEVER MATCHED");
  writeGuard(base.path, { code: "export default () => { throw new Error('x'); };\n" });
  await approveAll(base.path);
  for (let n = 0; n < 10; n++) await event(base.path, "ls");
  expect((await must(hookpkg(base.path, "stats"))).out).toMatch(/failing since \S+ \[E_RUN_THREW\]/);
  const { lines } = await dataOf(base.path, "log", "--handler", GUARD, "--limit", "10");
  expect(lines.map((line: { told: string; code: string }) => `${line.told} ${line.code}`)).toEqual(
    Array.from({ length: 10 }, () => "cancel E_RUN_THREW"),
  );
  expect((await must(hookpkg(base.path, "status"), 1)).out).toContain(`${GUARD} is failing since ${lines[0].at}`);
});
