import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookpkg, hookpkgJson } from "../author/test-program.ts";
import { launchMend } from "../host/shared-launch.ts";
import { approveAll, must, testProject } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

type Check = { name: string; ok: boolean; found: string; mend?: string };

function write(base: string, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
  chmodSync(join(base, path), mode);
}

/** A project with a guard, and hosts that are attached in its own home. */
async function attached(...hosts: string[]) {
  const base = await testProject();
  await approveAll(base.path);
  for (const host of hosts) await must(hookpkg(base.path, "attach", host));
  const state = (path: string) => JSON.parse(readFileSync(join(base.path, "home/state", path), "utf8"));
  return { ...base, state, [Symbol.dispose]: () => base[Symbol.dispose]() };
}

async function checks(base: string, part: string): Promise<Check[]> {
  const { result } = await hookpkgJson(base, "doctor");
  return (result as { data: { checks: Check[] } }).data.checks.filter(({ name }) => name.includes(part));
}

/** The settings of Claude Code in the project's home, with every command of ours changed. */
function changed(base: string, path: string, change: (text: string) => string): void {
  const record = join(base, "home/state/attached.json");
  for (const file of [join(base, "home", path), record]) writeFileSync(file, change(readFileSync(file, "utf8")));
}

test("the entry, run: hookpkg answers through it, and a made-up call is cancelled", async () => {
  using base = await attached("claude-code");
  expect(await checks(base.path, "claude-code: ")).toEqual([
    { name: "claude-code: the entry, run", ok: true, found: "hookpkg answered through it" },
    { name: "claude-code: a canary", ok: true, found: "a made-up rm -rf ~ was cancelled through it" },
  ]);
  expect(base.state("attached.json").attachments).toMatchObject([{ canary: expect.stringMatching(/^20/) }]);
});

test("the entry, run: a program that is gone, and one that lets everything pass", async () => {
  using base = await attached("claude-code");
  changed(base.path, ".claude/settings.json", (text) => text.replaceAll(process.execPath, "/nonexistent/bun"));
  const gone = await checks(base.path, "claude-code: ");
  expect(gone.map(({ name, ok, mend }) => [name, ok, mend])).toEqual([
    ["claude-code: the entry, run", false, "hookpkg attach claude-code"],
    ["claude-code: a canary", false, "hookpkg attach claude-code"],
  ]);
  expect(base.state("attached.json").attachments[0].canary).toBeUndefined();
  write(base.path, "yes", "#!/bin/sh\nexit 93\n", 0o755);
  changed(base.path, ".claude/settings.json", (text) => text.replaceAll("/nonexistent/bun", join(base.path, "yes")));
  const [ran, canary] = await checks(base.path, "claude-code: ");
  expect([ran?.ok, canary?.ok, canary?.found]).toEqual([true, false, expect.stringContaining("NOT cancelled")]);
  expect((await hookpkg(base.path, "status")).out).toContain("no canary was ever cancelled");
});

test("a canary is sent as each host would tell it, and leaves nothing in a session, a journal or the count of events", async () => {
  const hosts = ["claude-code", "gemini-cli", "qwen-code", "copilot-cli", "cursor", "peri", "astracode"];
  using base = await attached(...hosts, "opencode", "cline");
  const found = await checks(base.path, "a canary");
  expect(found.map(({ name, ok }) => [name, ok])).toEqual(
    [...hosts, "opencode", "cline"].map((host) => [`${host}: a canary`, true]),
  );
  const { result } = await hookpkgJson(base.path, "log");
  expect(result).toMatchObject({ data: { lines: [] } });
  const status = (await hookpkgJson(base.path, "status")).result as { data: { hosts: object[]; notes: string[] } };
  for (const host of status.data.hosts) expect(host).toMatchObject({ lastEvent: null, canary: expect.any(String) });
  expect(status.data.notes).toContain("peri: no event yet · canary cancelled just now");
  expect(status.data.notes.join()).not.toContain("live");
});

test("a canary is forgotten with what was attached, and with entries that were renewed", async () => {
  using base = await attached("claude-code");
  await hookpkg(base.path, "doctor");
  const canary = () => base.state("attached.json").attachments[0].canary;
  const first = canary();
  expect(first).toBeString();
  await must(hookpkg(base.path, "attach", "claude-code"));
  expect(canary()).toBe(first);
  changed(base.path, ".claude/settings.json", (text) => text.replaceAll("--no-install", "--older-flag"));
  await must(hookpkg(base.path, "attach", "claude-code"));
  expect(canary()).toBeUndefined();
  await hookpkg(base.path, "doctor");
  await must(hookpkg(base.path, "detach"));
  await must(hookpkg(base.path, "attach", "claude-code"));
  expect((await hookpkg(base.path, "status")).out).toContain("no canary was ever cancelled: hookpkg doctor");
});

test.each([
  ["the person's", "home/.claude/settings.json"],
  ["the project's", ".claude/settings.json"],
  ["the project's own of this checkout", ".claude/settings.local.json"],
])("switches: %s settings that turn every hook off", async (_, path) => {
  using base = await attached("claude-code");
  expect(await checks(base.path, "its switches")).toEqual([]);
  const file = join(base.path, path);
  const before = path.startsWith("home/") ? JSON.parse(readFileSync(file, "utf8")) : {};
  write(base.path, path, JSON.stringify({ ...before, disableAllHooks: true }));
  const found = await checks(base.path, path.startsWith("home/") ? "claude-code in" : "its switches");
  expect(found).toMatchObject([{ ok: false, found: expect.stringContaining("no hook runs"), mend: `mend ${file}` }]);
});

test("no canary tells of entries that the host itself would not run", async () => {
  using base = await attached("codex");
  expect(await checks(base.path, "canary")).toEqual([]);
  expect((await hookpkg(base.path, "status")).out).toContain("codex: no event yet · no canary was ever cancelled");
});

test("switches: those of a host that nobody attached are none of ours", async () => {
  using base = await attached("codex");
  write(base.path, ".claude/settings.json", '{"disableAllHooks":true}');
  expect(await checks(base.path, "its switches")).toEqual([]);
});

const GATE = `export const register = (on) => on("tool.call", (e, next) => next(e));`;
const PAINTS = `export const register = (on) => on("ui.render", (e, next) => next(e));`;

test("mods: one that stands between hookpkg and the tool, wherever it lies; others are no failure", async () => {
  using base = await attached("claude-code");
  expect(await checks(base.path, "mod ")).toEqual([]);
  write(base.path, "home/.claude/mods/gate.ts", GATE);
  write(base.path, ".claude/mods/own/index.ts", GATE);
  write(base.path, "home/.claude/plugins/cache/market/plugin/1.0.0/mods/late.js", GATE);
  write(base.path, "home/.claude/mods/paints.ts", PAINTS);
  write(base.path, "home/.claude/mods/gate.test.ts", GATE);
  write(base.path, "home/.claude/mods/notes.md", GATE);
  const found = await checks(base.path, "mod ");
  expect(found.map(({ name, ok }) => [name, ok]).sort()).toEqual([
    ["claude-code mod gate", false],
    ["claude-code mod index", false],
    ["claude-code mod late", false],
  ]);
  expect(found[0]?.found).toContain("stands between hookpkg and the tool");
});

test("mods: where Claude Code is not attached, nobody looks for them", async () => {
  using base = await attached("codex");
  write(base.path, "home/.claude/mods/gate.ts", GATE);
  expect(await checks(base.path, "mod ")).toEqual([]);
});

test("a project's entry that does not find hookpkg on this machine: the mend puts it there", async () => {
  using base = await attached();
  await must(hookpkg(base.path, "attach", "claude-code", "--shared"));
  const mend = launchMend(); // undefined where this machine has hookpkg in one of the places
  const [ran] = await checks(base.path, "claude-code: the entry");
  expect([ran?.ok, ran?.mend]).toEqual([mend === undefined, mend]);
});
