import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandData } from "@hookpkg/spec";
import { atTerminal, hookpkg, hookpkgJson } from "../author/test-program.ts";
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

setDefaultTimeout(120_000);

type Data = CommandData["replay"];

/** Calls as a host makes them; judged in the entry's own process, so that each is kept when it has ended. */
async function calls(base: string, ...commands: readonly string[]): Promise<void> {
  for (const [n, command] of commands.entries()) {
    const stdin = eventText(base, command, { tool_use_id: `t-${n}` });
    await must(withStdin(base, ["run", "claude-code", "--quiet"], { stdin }));
  }
}

async function replay(base: string, ...args: readonly string[]): Promise<Data> {
  const { result } = await hookpkgJson(base, "replay", ...args);
  if (!result.ok) throw new Error(result.error.code);
  return result.data as Data; // the command's own type
}

const counts = { cancels: 0, asks: 0, allows: 0, changes: 0, passes: 0, failures: 0 };

test("before it is approved: what a guard would have said to the last calls, and nothing of it is kept", async () => {
  using base = await testProject();
  await calls(base.path, "ls", "rm -rf build", `${"x".repeat(300 * 1024)}`);
  const before = stateOf(base.path);
  const data = await replay(base.path);
  expect(data).toEqual({
    ...{ recorded: 3, tooLarge: 1 },
    handlers: [
      {
        ...{ handler: GUARD, identity: expect.stringMatching(/^hk1:/), version: "proposed", ...counts },
        ...{ calls: 2, cancels: 1, passes: 1, codes: [], left: 0 },
        differs: [
          {
            ...{ at: expect.any(String), tool: "Bash", call: "rm -rf build" },
            ...{ before: "decided: continue", now: "cancels", reason: "no rm -rf here" },
          },
        ],
      },
    ],
  });
  expect(stateOf(base.path)).toEqual(before);
  const { out } = await must(hookpkg(base.path, "replay"));
  expect(out).toContain(`${GUARD} (as proposed, not approved): of 2 recorded calls it cancels 1, lets pass 1;`);
  expect(out).toContain("Bash: rm -rf build\n");
  expect(out).toContain("then decided: continue; now it cancels: no rm -rf here");
  expect(out).toContain("1 call too large to be kept, and left out");
  expect(stateOf(base.path)).toEqual(before);
});

test("an update is held against what the approved one said", async () => {
  using base = await testProject();
  await approveAll(base.path);
  await calls(base.path, "ls", "rm -rf build", "curl x");
  expect((await replay(base.path)).handlers).toMatchObject([
    { version: "approved", calls: 3, cancels: 1, differs: [] },
  ]);
  writeGuard(base.path, { code: guardCode("curl") });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const [now] = (await replay(base.path)).handlers;
  expect(now).toMatchObject({ version: "proposed", calls: 3, cancels: 1, passes: 2 });
  expect(now?.differs.map(({ call, before, now: said }) => [call, before, said])).toEqual([
    ["rm -rf build", "it: cancels", "lets it pass"],
    ["curl x", "it: lets it pass", "cancels"],
  ]);
  expect((await replay(base.path, "--limit", "1")).handlers).toMatchObject([
    { calls: 1, differs: [{ call: "curl x" }] },
  ]);
});

test("it runs as its cases do: no project, no network, no variable, and a failure is one", async () => {
  using base = await testProject();
  await calls(base.path, "ls");
  writeFileSync(join(base.path, "secret.txt"), "of the project");
  const code = `import { readdirSync } from "node:fs";
export default async (event, ctx) => {
  const seen = [readdirSync(event.cwd).length, Object.keys(ctx.env ?? {}).length];
  const net = await ctx.fetch("https://example.com/").then(() => "out", () => "none");
  return { answer: "cancel", reason: JSON.stringify([...seen, net]) };
};\n`;
  const manifest = { capabilities: { project: "read", net: ["example.com"], env: ["MY_TOKEN"] } };
  writeGuard(base.path, { code, manifest });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const [asked] = (await replay(base.path)).handlers;
  expect(asked?.differs.map(({ reason }) => reason)).toEqual(['[0,0,"none"]']);
  writeGuard(base.path, { code: "export default () => { throw new Error('no'); };\n" });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  const [failing] = (await replay(base.path)).handlers;
  expect(failing).toMatchObject({ calls: 1, failures: 1, cancels: 0, codes: ["E_RUN_THREW"] });
});

test("calls that do not concern it are not counted", async () => {
  using base = await testProject();
  await calls(base.path, "ls");
  writeGuard(base.path, { matcher: "Write" });
  await must(hookpkg(base.path, "install", "./guard"), 3);
  expect((await replay(base.path)).handlers).toMatchObject([{ calls: 0, differs: [] }]);
  const { out } = await must(hookpkg(base.path, "replay", "./guard"));
  expect(out).toContain("none of the recorded calls concerns it");
});

test("nothing recorded, and switched off: it says which", async () => {
  using base = await testProject();
  const { out } = await must(hookpkg(base.path, "replay"));
  expect(out).toContain("no tool call of this project was recorded");
  await calls(base.path, "ls");
  writeFileSync(join(base.path, "home/config/config.json"), JSON.stringify({ v: 1, record: false }));
  await calls(base.path, "pwd");
  expect(existsSync(join(base.path, "home/state/recordings"))).toBe(false);
  expect((await must(hookpkg(base.path, "replay"))).out).toContain("record: false");
});

test("the approval view shows it after the package's own cases", async () => {
  using base = await testProject();
  await calls(base.path, "ls", "rm -rf build");
  const [project = ""] = readdirSync(join(base.path, "home/state/recordings"));
  const folder = join(base.path, "home/state/recordings", project);
  expect(readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).tool)).toEqual([
    "Bash",
    "Bash",
  ]);
  const { screen } = await atTerminal(base.path, ["approve"], [["later: it stays", "\r"]]);
  const parts = [
    "2 cases passed",
    "the last tool calls of this project",
    "of 2 recorded calls it cancels 1, lets pass 1",
  ];
  const places = parts.map((part) => screen.indexOf(part));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});
