import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson } from "../author/test-program.ts";
import { approveAll, eventText, must, type TestProject, testProject, withStdin } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

/** A project whose settings have our entries for Claude Code and for Copilot, which reads both. */
let project: TestProject;
let copilots = "";
beforeAll(async () => {
  project = await testProject();
  await approveAll(project.path);
  for (const host of ["claude-code", "copilot-cli"]) await must(hookpkg(project.path, "attach", host, "--shared"));
  copilots = join(project.path, ".github/hooks/hookpkg.json");
});
afterAll(() => project[Symbol.dispose]());

const time = "2026-11-30T14:58:37.054Z";
/** One event of Copilot's, as it starts an entry with it. */
async function asked(entry: string, more: object = {}): Promise<{ permissionDecision?: string }> {
  const stdin = eventText(project.path, "rm -rf x", { timestamp: time, tool_use_id: undefined, ...more });
  const { out } = await must(withStdin(project.path, ["run", entry], { stdin, env: { COPILOT_CLI: "1" } }));
  return out === "" ? {} : JSON.parse(out).hookSpecificOutput;
}
const lines = async () => {
  const { result } = await hookpkgJson(project.path, "log");
  return (result as { data: { lines: { host: string }[] } }).data.lines;
};

test("an event that Copilot starts both entries with is judged once, and answered by its own", async () => {
  const before = (await lines()).length;
  expect(await asked("claude-code")).toEqual({});
  expect(await asked("copilot-cli")).toMatchObject({ permissionDecision: "deny" });
  const after = await lines();
  expect([after.length - before, after.at(-1)?.host]).toEqual([1, "copilot-cli"]);
});

test("from a folder below, too; an event of Claude Code's own is none of Copilot's", async () => {
  mkdirSync(join(project.path, "deep/er"), { recursive: true });
  expect(await asked("claude-code", { cwd: join(project.path, "deep/er") })).toEqual({});
  const stdin = eventText(project.path, "rm -rf x");
  const { out } = await withStdin(project.path, ["run", "claude-code"], { stdin });
  expect(JSON.parse(out).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
});

test.each([
  ["gone", () => rmSync(copilots)],
  ["switched off", (text: string) => writeFileSync(copilots, text.replace("{", '{ "disableAllHooks": true,'))],
  ["of other words", (text: string) => writeFileSync(copilots, text.replaceAll(" run copilot-cli", " run nobody"))],
  ["no settings at all", () => writeFileSync(copilots, "{")],
])("where Copilot's entry is %s, the other one answers", async (_, change) => {
  const text = readFileSync(copilots, "utf8");
  change(text);
  try {
    expect(await asked("claude-code")).toMatchObject({ permissionDecision: "deny" });
  } finally {
    writeFileSync(copilots, text);
  }
});
