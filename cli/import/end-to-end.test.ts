import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program several times, and its sandbox.
setDefaultTimeout(120_000);

const FIXTURES = join(import.meta.dir, "..", "..", "fixtures", "import");
const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
const write = (file_path: string) => ({ tool_name: "Write", tool_input: { file_path, content: "" } });
const cancel = (input: object, reasonIncludes: string) => ({ input, want: { answer: "cancel", reasonIncludes } });
const passes = (input: object) => ({ input, want: { answer: "continue" } });

/** What each source's hooks did at their own host. */
const DID = {
  "claude-plugin": [
    cancel(bash("git push origin main"), "main stays as it is"),
    passes(bash("git status")),
    { input: bash("npm ci"), want: { answer: "patch", patch: { tool_input: { command: "npm ci --ignore-scripts" } } } },
  ],
  "codex-plugin": [
    cancel(write("/home/dev/work/app/migrations/1.sql"), "migrations are made by the tool"),
    passes(write("/home/dev/work/app/a.sql")),
  ],
  "gemini-extension": [
    cancel(bash("sudo ls"), "no root here"),
    cancel(write("/home/dev/work/app/a.pem"), "no keys"),
    passes(bash("ls")),
    { input: bash("npm ci"), want: { answer: "patch", patch: { tool_input: { command: "npm ci --ignore-scripts" } } } },
    cancel({ tool_name: "mcp__github__delete_repository", tool_input: {} }, "it stays"),
    { input: { tool_name: "mcp__github__merge", tool_input: {} }, want: { answer: "ask" } },
  ],
  "qwen-extension": [cancel(bash("shutdown now"), "it stays on"), passes(bash("ls"))],
  "peri-folder": [cancel(bash("rm -rf /"), "not here"), passes(bash("ls"))],
  "claude-settings": [
    cancel(write("/home/dev/work/app/.env"), "is not edited by agents"),
    cancel(bash("curl | sh"), "read it first"),
    passes(write("/home/dev/work/app/a.ts")),
  ],
  astracode: [cancel(bash("rm -rf /"), "not here"), passes(bash("ls"))],
};

test.each(Object.entries(DID))(
  "%s: imported, valid, and in the sandbox it decides as it did there",
  async (name, did) => {
    using base = temporaryFolder();
    const made = await hookpkg(base.path, "new", "made", "--from", join(FIXTURES, name));
    expect([made.code, made.err]).toEqual([0, ""]);
    const folder = join(base.path, "made");
    mkdirSync(join(folder, "test/cases"), { recursive: true });
    const cases = did.map((one, n) => ({ name: `${n}`, event: "PreToolUse", ...one }));
    writeFileSync(join(folder, "test/cases/did.json"), JSON.stringify(cases));
    expect((await hookpkg(base.path, "validate", "made")).code).toBe(0);
    const { code, result } = await hookpkgJson(base.path, "test", "made");
    expect(result).toMatchObject({ ok: true, data: { passed: did.length, failed: 0 } });
    expect(code).toBe(0);
  },
);

test("modes stay, --name names it, --json has the report, and nothing is written beside the folder", async () => {
  using base = temporaryFolder();
  const { code, result } = await hookpkgJson(
    base.path,
    ...["new", "made", "--from", join(FIXTURES, "claude-plugin"), "--name", "@acme/branch"],
  );
  expect([code, result.ok]).toEqual([0, true]);
  expect(result).toMatchObject({ data: { imported: { host: "claude-code", carried: [{ id: "guard" }, {}, {}, {}] } } });
  expect(statSync(join(base.path, "made/hooks/tell.sh")).mode & 0o777).toBe(0o755);
  expect(statSync(join(base.path, "made/hooks/guard.py")).mode & 0o777).toBe(0o644);
  expect(await Bun.file(join(base.path, "made/hookpkg.json")).json()).toMatchObject({ name: "@acme/branch" });
  expect(readdirSync(base.path)).toEqual(["made"]);
});

test("what is refused leaves nothing, and flags that go not together are no call", async () => {
  using base = temporaryFolder();
  writeFileSync(join(base.path, "hooks.json"), '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}');
  expect(await refusal(base.path, "new", "made", "--from", "hooks.json")).toEqual([1, "E_SOURCE_HOST"]);
  expect(await refusal(base.path, "new", "made", "--from", "nothing")).toEqual([1, "E_SOURCE_NONE"]);
  expect(await refusal(base.path, "new", "made", "--host", "codex")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "new", "made", "--guard", "--from", "hooks.json")).toEqual([64, "E_USAGE"]);
  expect(await refusal(base.path, "new", "hooks.json", "--from", "hooks.json")).toEqual([1, "E_NEW_FOLDER"]);
  expect(readdirSync(base.path)).toEqual(["hooks.json"]);
  expect((await hookpkg(base.path, "new", "made", "--from", "hooks.json", "--host", "codex")).code).toBe(0);
});

test("the page shows what the program says", async () => {
  using base = temporaryFolder();
  const { out } = await hookpkg(base.path, "new", "shell-guard", "--from", join(FIXTURES, "gemini-extension"));
  const page = await Bun.file(join(import.meta.dir, "README.md")).text();
  const shown = page.split("<!-- output -->\n")[1]?.split("<!-- end -->")[0]?.trimEnd();
  const said = out.trimEnd().replace(base.path, "/home/you").split("\n");
  expect(shown?.split("\n")).toEqual(
    ["$ hookpkg new shell-guard --from gemini-extension", ...said].map((line) => `    ${line}`),
  );
});
