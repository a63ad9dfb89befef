import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../author/test-program.ts";
import {
  approveAll,
  eventText,
  GUARD,
  guardCode,
  type TestProject,
  testProject,
  withStdin,
  writeGuard,
} from "../trust/test-project.ts";

setDefaultTimeout(120_000);

let guarded: TestProject;
beforeAll(async () => {
  guarded = await testProject();
  await approveAll(guarded.path);
});
afterAll(() => guarded[Symbol.dispose]());

const HOSTS = ["claude-code", "codex", "native"] as const;
const run = (base: string, host: string, stdin: string | Uint8Array, ...more: string[]) =>
  withStdin(base, ["run", host, ...more], { stdin });
const WIPE = "rm -rf x";

/** What each host must read in stdout to take it for a no. */
function isRefused(host: (typeof HOSTS)[number], out: string): boolean {
  const answer = JSON.parse(out);
  return host === "native" ? answer.decision === "cancel" : answer.hookSpecificOutput.permissionDecision === "deny";
}

test.each([...HOSTS])("%s: a refusal is one line in its own words, and nothing else", async (host) => {
  const { code, out, err } = await run(guarded.path, host, eventText(guarded.path, WIPE));
  expect([code, err, isRefused(host, out)]).toEqual([0, "", true]);
  expect(out.split("\n")).toHaveLength(2);
  expect(out).toContain("no rm -rf here");
});

test.each([...HOSTS])("%s: what no guard minds goes on in silence", async (host) => {
  const { code, out, err } = await run(guarded.path, host, eventText(guarded.path, "ls"));
  expect([code, err]).toEqual([0, ""]);
  if (host === "native")
    expect(JSON.parse(out)).toMatchObject({ decision: "continue", handlers: [{ outcome: "answered" }] });
  else expect(out).toBe("");
});

test("an event that hookpkg does not serve passes", async () => {
  const stdin = JSON.stringify({ hook_event_name: "Elicitation", session_id: "s", cwd: guarded.path });
  expect(await run(guarded.path, "claude-code", stdin)).toEqual({ code: 0, out: "", err: "" });
});

test("an embedder's event that is none passes, and a line on stderr says which", async () => {
  const stdin = JSON.stringify({ hook_event_name: "NoEvent", session_id: "s", cwd: guarded.path });
  const { code, out, err } = await run(guarded.path, "native", stdin);
  expect([code, out]).toEqual([0, ""]);
  expect(err).toContain('"NoEvent"');
  expect(err.split("\n")).toHaveLength(2);
});

/** Everything that can be wrong before the engine has an event. */
const BROKEN: [string, string | Uint8Array, string[]][] = [
  ["an unknown flag", "event", ["codex", "--bogus"]],
  ["a flag without its value", "event", ["codex", "--project"]],
  ["an unknown host", "event", ["emacs"]],
  ["two hosts", "event", ["codex", "claude-code"]],
  ["no host", "event", []],
  ["no input", "", ["codex"]],
  ["half an event", '{"hook_event_name":"PreToolUse","session_id":"s"', ["codex"]],
  ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), ["claude-code"]],
  ["an array", "[]", ["claude-code"]],
  ["nesting without end", "[".repeat(200_000), ["native"]],
  ["more than an event may be", `{"a":"${"x".repeat(17 * 1024 * 1024)}"}`, ["codex"]],
  ["an event without its fields", '{"hook_event_name":"PreToolUse"}', ["claude-code"]],
];

test.each(BROKEN)(
  "%s: refused where a closed guard is approved, else a pass that is seen; never 1, never a stack",
  async (_, input, words) => {
    using empty = temporaryFolder();
    const stdin = (base: string) => (input === "event" ? eventText(base, "ls") : input);
    const closed = await withStdin(guarded.path, ["run", ...words], { stdin: stdin(guarded.path) });
    expect([closed.code, closed.out]).toEqual([2, ""]);
    expect(closed.err).toMatch(/^[^\n]*\[E_[A-Z_]+\]\n$/);
    const open = await withStdin(empty.path, ["run", ...words], { stdin: stdin(empty.path) });
    expect([open.code, open.out]).toEqual([0, ""]);
    expect(open.err).toMatch(/^hookpkg: [^\n]*\[E_[A-Z_]+\]\n$/);
  },
);

/** What an agent can make of the call that a guard minds, so that nobody can read it. */
const deep = JSON.parse(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`);
const UNREADABLE: [string, (base: string) => string | Uint8Array][] = [
  ["nested without end", (base) => eventText(base, WIPE, { tool_input: { command: WIPE, deep } })],
  ["too large", (base) => eventText(base, WIPE + " ".repeat(17 * 1024 * 1024))],
  ["a name twice", (base) => eventText(base, WIPE).replace('"tool_name":', '"tool_name":"Read","tool_name":')],
  ["no UTF-8", (base) => Buffer.from(eventText(base, `${WIPE} \xff`), "latin1")],
  ["a number for a tool", (base) => eventText(base, WIPE, { tool_name: 5 })],
  ["no folder", (base) => eventText(base, WIPE, { cwd: undefined })],
  [
    "another event's name in its input",
    (base) => eventText(base, WIPE, { tool_input: { hook_event_name: "PostToolUse", deep } }),
  ],
  ["an event's name in other letters", (base) => eventText(base, WIPE, { hook_event_name: "pretooluse" })],
  ["an event's name cut short", (base) => eventText(base, WIPE, { hook_event_name: "PreToolUs" })],
];

test.each(UNREADABLE)(
  "a guarded call that cannot be read (%s) does not pass a guard of its project",
  async (_, text) => {
    const words = ["run", "native", "--project", guarded.path];
    const { code, out } = await withStdin(guarded.path, words, { stdin: text(guarded.path) });
    expect([code, out]).toEqual([2, ""]);
  },
);

test.each([
  ["no input", "", ["codex"], "there was no event on stdin"],
  ["an unknown host", "event", ["claud-code"], "meant: claude-code; known: native, claude-code, codex"],
  ["an unknown flag", "event", ["codex", "--fast"], "--fast"],
  ["no host", "event", [], "hookpkg run HOST [--project DIR]"],
])("%s: the words say what was wrong with the call", async (_, input, words, said) => {
  using empty = temporaryFolder();
  const stdin = input === "event" ? eventText(empty.path, "ls") : input;
  expect((await withStdin(empty.path, ["run", ...words], { stdin })).err).toContain(said);
  expect((await withStdin(guarded.path, ["run", ...words], { stdin })).err).toContain(said);
});

test("a closed stdin is no event", async () => {
  const words = [
    process.execPath,
    join(import.meta.dir, "../main.ts"),
    "run",
    "codex",
    "--home",
    join(guarded.path, "home"),
  ];
  const started = Bun.spawn(["/bin/sh", "-c", 'exec "$@" <&-', "sh", ...words], {
    cwd: guarded.path,
    env: { PATH: "/usr/bin:/bin" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([started.exited, started.stdout.text(), started.stderr.text()]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).not.toMatch(/\n\s+at /);
});

test("HOME, XDG and the like have no say in whose approvals count", async () => {
  using other = temporaryFolder();
  const env = { HOME: other.path, XDG_CONFIG_HOME: other.path, XDG_STATE_HOME: other.path, XDG_DATA_HOME: other.path };
  const { out } = await withStdin(guarded.path, ["run", "native"], { stdin: eventText(guarded.path, WIPE), env });
  expect(JSON.parse(out)).toMatchObject({ decision: "cancel" });
});

test("the project is the entry's, then the host's own variable; a cwd elsewhere leads nowhere else", async () => {
  using away = temporaryFolder();
  const stdin = eventText(away.path, WIPE, { session_id: "away" });
  const home = ["--home", join(guarded.path, "home")];
  const inProject = await withStdin(away.path, ["run", "claude-code", ...home, "--project", guarded.path], { stdin });
  expect(inProject.out).toBe(""); // --home stands twice, the last one counts: nothing is approved under it
  const flagged = await run(guarded.path, "claude-code", stdin, "--project", guarded.path);
  expect(isRefused("claude-code", flagged.out)).toBe(true);
  const variable = await withStdin(guarded.path, ["run", "claude-code"], {
    stdin: eventText(away.path, WIPE, { session_id: "variable" }),
    env: { CLAUDE_PROJECT_DIR: guarded.path },
  });
  expect(isRefused("claude-code", variable.out)).toBe(true);
});

test("state that cannot be read refuses what the guard guards", async () => {
  using base = await testProject();
  await approveAll(base.path);
  writeFileSync(join(base.path, "home/state/approvals.json"), "{");
  for (const host of HOSTS) {
    const { code, out } = await run(base.path, host, eventText(base.path, "ls"));
    expect([code, isRefused(host, out)]).toEqual([0, true]);
  }
  rmSync(join(base.path, "home/state"), { recursive: true });
  writeFileSync(join(base.path, "home/state"), "");
  const { code, out } = await run(base.path, "codex", eventText(base.path, "ls"));
  expect([code, out]).toEqual([2, ""]);
});

test("a guard that was never approved does not run; changed bytes do not run either", async () => {
  using base = await testProject();
  const before = await run(base.path, "native", eventText(base.path, WIPE));
  expect(JSON.parse(before.out)).toMatchObject({ decision: "continue", handlers: [] });
  await approveAll(base.path);
  writeGuard(base.path, { code: guardCode("ls") });
  const { out } = await run(base.path, "native", eventText(base.path, "ls"));
  expect(JSON.parse(out)).toMatchObject({ decision: "continue", handlers: [{ handler: GUARD, answer: "continue" }] });
  const store = join(base.path, "home/data/store");
  for (const tree of readdirSync(store)) {
    chmodSync(join(store, tree, "guard.ts"), 0o644);
    appendFileSync(join(store, tree, "guard.ts"), "//");
  }
  const held = await run(base.path, "native", eventText(base.path, "ls"));
  expect(JSON.parse(held.out)).toMatchObject({
    decision: "cancel",
    handlers: [{ state: "held", why: "E_STORE_DIFFERS" }],
  });
});

test("whoever types run into a shell may approve in it afterwards; a script that runs it is its host", async () => {
  using base = await testProject();
  mkdirSync(join(base.path, "out"));
  writeFileSync(join(base.path, "event.json"), eventText(base.path, "ls"));
  const program = `${process.execPath} ${join(import.meta.dir, "../main.ts")} --home ${base.path}/home`;
  const script = `${program} run codex < event.json; ${program} approve; echo "exit $?"\n`;
  writeFileSync(join(base.path, "host.sh"), script);
  const env = { PATH: "/usr/bin:/bin" };
  const shell = (args: string[], stdin: string) =>
    Bun.spawnSync(["/bin/bash", ...args], {
      cwd: base.path,
      env,
      stdin: Buffer.from(stdin),
      stderr: "pipe",
    }).stderr.toString();
  expect(shell(["--login"], script)).toContain("E_NO_TERMINAL");
  expect(shell(["host.sh"], "")).toContain("E_APPROVE_IN_HOST");
});
