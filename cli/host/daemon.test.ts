import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, hookpkg, hookpkgJson } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  must,
  type TestProject,
  testProject,
  withStdin,
  writeGuard,
} from "../trust/test-project.ts";

// The real program, daemon, guard and sandbox. A home's daemon leaves with it.
setDefaultTimeout(120_000);

let open: TestProject | undefined;
afterEach(async () => {
  if (open !== undefined) await hookpkg(open.path, "daemon", "stop");
  open?.[Symbol.dispose]();
  open = undefined;
});

async function guarded(code?: string): Promise<string> {
  open = await testProject();
  if (code !== undefined) await change(open.path, code);
  else await approveAll(open.path);
  return open.path;
}

async function change(base: string, code: string): Promise<void> {
  writeGuard(base, { code });
  await hookpkg(base, "install", "./guard");
  await approveAll(base);
}

type Status = { running: boolean; pid?: number; events?: number; workers?: number };

async function status(base: string): Promise<Status> {
  const { result } = await hookpkgJson(base, "daemon", "status");
  return result.ok ? (result.data as Status) : { running: false }; // the command's own type
}

/** An event that finds no daemon is judged by its own process, which starts one for the next. */
async function daemonOf(base: string): Promise<number> {
  for (;;) {
    await run(base, "ls");
    const { pid } = await status(base);
    if (pid !== undefined) return pid;
    await Bun.sleep(200);
  }
}

const run = (base: string, command: string, more: object = {}, env: Record<string, string> = {}) =>
  withStdin(base, ["run", "native"], { stdin: eventText(base, command, more), env });

/** What was decided, and which call of its worker it was when the guard counts them. */
function decided({ code, out, err }: Ended): string {
  if (code !== 0) return `exit ${code}: ${err}`;
  const { decision, reason } = JSON.parse(out) as { decision: string; reason?: string }; // our own line
  return reason === undefined ? decision : `${decision}: ${reason.trim()}`;
}

const COUNTS = `let calls = 0;
  export default (event) => ({ answer: "cancel", reason: "call " + ++calls + " of " + event.tool_input.command + "." })`;

test("the daemon gives the same decision as the process alone, and its worker stays", async () => {
  const base = await guarded();
  // Words that an entry does not have are the program's to read, so that is not asked of the daemon.
  const alone = (command: string) => withStdin(base, ["run", "native", "--quiet"], { stdin: eventText(base, command) });
  const expected = [await alone("ls"), await alone("rm -rf x")].map(decided);
  expect(await status(base)).toMatchObject({ running: false });
  await daemonOf(base);
  const { events = 0 } = await status(base);
  expect([await run(base, "ls"), await run(base, "rm -rf x")].map(decided)).toEqual(expected);
  expect(await status(base)).toMatchObject({ running: true, events: events + 2, workers: 1 });
});

test("what was approved, changed or dropped counts at the next event", async () => {
  const base = await guarded(COUNTS);
  await daemonOf(base);
  expect(decided(await run(base, "a"))).toContain("call 1 of a.");
  expect(decided(await run(base, "b"))).toContain("call 2 of b.");
  await change(base, COUNTS.replace("call ", "new call "));
  expect(decided(await run(base, "c"))).toContain("new call 1 of c.");
  await must(hookpkg(base, "uninstall", "file:./guard"), 3);
  await must(hookpkg(base, "approve", "--drop", "file:./guard#no-rm", "--key", join(base, "ci.key")));
  expect(decided(await run(base, "d"))).toBe("continue");
});

test("bytes that are not the approved ones any more hold the stage", async () => {
  const base = await guarded();
  await daemonOf(base);
  expect(decided(await run(base, "ls"))).toBe("continue");
  const store = join(base, "home", "data", "store");
  for (const tree of readdirSync(store)) {
    const file = join(store, tree, "guard.ts");
    if (existsSync(file)) Bun.spawnSync(["/bin/sh", "-c", `chmod u+w '${file}' && printf x >>'${file}'`]);
  }
  expect(decided(await run(base, "ls"))).toStartWith("cancel");
});

test("killed in the middle of a call: the process judges by itself", async () => {
  const slow = `export default async (event) => {
    if (event.tool_input.command === "slow") await new Promise((done) => setTimeout(done, 1500));
    return { answer: "cancel", reason: "judged" } }`;
  const base = await guarded(slow);
  const pid = await daemonOf(base);
  const running = run(base, "slow");
  for (;;) {
    const { result } = await hookpkgJson(base, "daemon", "status");
    if (result.ok && "busy" in result.data && result.data.busy === 1) break;
  }
  process.kill(pid, 9);
  expect(decided(await running)).toContain("judged");
});

test("a guard gets what it was granted of the caller's environment, each time anew", async () => {
  const base = await guarded();
  writeGuard(base, {
    code: `export default (event, ctx) => ({ answer: "cancel", reason: JSON.stringify(ctx.env) })`,
    manifest: { capabilities: { env: ["EDITOR"] } },
  });
  await hookpkg(base, "install", "./guard");
  await approveAll(base);
  await daemonOf(base);
  expect(decided(await run(base, "a", {}, { EDITOR: "vi", OTHER: "o" }))).toContain('{"EDITOR":"vi"}');
  expect(decided(await run(base, "b", {}, { EDITOR: "ed" }))).toContain('{"EDITOR":"ed"}');
  expect(decided(await run(base, "c"))).toContain("{}");
});

test("many sessions at once are journaled whole, each once", async () => {
  const base = await guarded();
  await daemonOf(base);
  const sessions = Array.from({ length: 16 }, (_, n) => `many-${n}`);
  await Promise.all(sessions.map((session_id) => run(base, "ls", { session_id })));
  const { result } = await hookpkgJson(base, "log", "--limit", "100");
  const lines = result.ok && "lines" in result.data ? (result.data.lines as { session: string }[]) : [];
  const seen = lines.map(({ session }) => session).filter((session) => session.startsWith("many-"));
  expect(seen.sort()).toEqual(sessions.sort());
});

test("a session's end is handed over: the host need not wait for it", async () => {
  open = await testProject();
  const base = open.path;
  writeGuard(base, { code: "export default async () => { await new Promise((done) => setTimeout(done, 500)); }" });
  const hooks = { SessionEnd: [{ hooks: [{ id: "bye", type: "module", module: "./guard.ts" }] }] };
  writeFileSync(join(base, "guard", "hooks", "hooks.json"), JSON.stringify({ hooks }));
  await hookpkg(base, "install", "./guard");
  await approveAll(base);
  await daemonOf(base);
  const stdin = eventText(base, "", { hook_event_name: "SessionEnd", reason: "other", tool_name: undefined });
  expect(await withStdin(base, ["run", "claude-code"], { stdin })).toEqual({ code: 0, out: "", err: "" });
  for (;;) {
    const { result } = await hookpkgJson(base, "log", "--limit", "100");
    if (JSON.stringify(result).includes('"outcome":"answered"') && JSON.stringify(result).includes("SessionEnd")) break;
    await Bun.sleep(50);
  }
});

test("stopped, it leaves no worker behind", async () => {
  const base = await guarded();
  const pid = await daemonOf(base);
  await run(base, "ls");
  const workers = childrenOf(pid);
  expect(workers.length).toBeGreaterThan(0);
  await must(hookpkg(base, "daemon", "stop"));
  expect([pid, ...workers].filter((each) => isAlive(each))).toEqual([]);
  expect(await status(base)).toMatchObject({ running: false, why: "absent" });
});

function childrenOf(pid: number): number[] {
  const found = Bun.spawnSync(["/usr/bin/pgrep", "-P", `${pid}`]).stdout.toString();
  return found.split("\n").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}
