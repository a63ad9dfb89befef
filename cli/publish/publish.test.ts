import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Serving, serveRegistry } from "@hookpkg/registry";
import { atTerminal, hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

let serving: Serving;
const data = temporaryFolder();

beforeAll(async () => {
  serving = await serveRegistry({ dataDir: join(data.path, "registry") });
});
afterAll(async () => {
  await serving.stop();
  data[Symbol.dispose]();
});

/** A publisher with keys, a claimed scope and a package. Each test has a scope of its own: the registry is one. */
async function publisher(base: string, scope: string): Promise<void> {
  await hookpkg(base, "keygen", "--scope", scope, "--no-passphrase");
  await hookpkg(base, "scope", "claim", scope, "--registry", serving.url, "--registry-root", serving.root);
  await hookpkg(base, "new", "guard", "--name", `${scope}/guard`);
}

function edit(base: string, from: string, to: string): void {
  const manifest = join(base, "guard", "hookpkg.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(from, to));
}

test("a package gets its place in the log once; the same bytes again are already there", async () => {
  using base = temporaryFolder();
  await publisher(base.path, "@first");
  const first = await hookpkgJson(base.path, "publish", "guard");
  const again = await hookpkgJson(base.path, "publish", "guard");
  if (!first.result.ok || !again.result.ok) throw new Error(JSON.stringify([first, again]));
  const { already: _, ...stable } = { already: false, ...first.result.data };
  expect(first).toMatchObject({ code: 0, result: { ok: true, data: { name: "@first/guard", already: false } } });
  expect(again).toMatchObject({ code: 0, result: { ok: true, data: { ...stable, already: true } } });
  writeFileSync(join(base.path, "guard", "README.md"), "another text");
  expect(await refusal(base.path, "publish", "guard")).toEqual([1, "E_PUBLISH_DIFFERS"]);
  edit(base.path, "0.1.0", "0.2.0");
  expect(await hookpkgJson(base.path, "publish", "guard")).toMatchObject({
    code: 0,
    result: { data: { version: "0.2.0" } },
  });
});

test("a package that fails its own case goes nowhere", async () => {
  using base = temporaryFolder();
  await publisher(base.path, "@failing");
  const wrong = { name: "n", event: "PreToolUse", input: { tool_name: "Bash", tool_input: { command: "ls" } } };
  const file = join(base.path, "guard", "test", "cases", "wrong.json");
  writeFileSync(file, JSON.stringify({ ...wrong, want: { answer: "cancel" } }));
  expect(await refusal(base.path, "publish", "guard")).toEqual([1, "E_CASES_FAILED"]);
  rmSync(join(base.path, "guard", "test"), { recursive: true });
  expect(await refusal(base.path, "publish", "guard")).toEqual([1, "E_CASES_NONE"]);
  expect((await fetch(`${serving.url}/v1/packages/failing/guard`)).status).toBe(404);
});

test("a scope that nobody claimed, one of others, no key, a foreign key", async () => {
  using base = temporaryFolder();
  using other = temporaryFolder();
  await publisher(base.path, "@taken");
  await hookpkg(other.path, "keygen", "--scope", "@taken", "--no-passphrase");
  const claim = ["scope", "claim", "@taken", "--registry", serving.url, "--registry-root", serving.root];
  expect(await refusal(other.path, ...claim)).toEqual([1, "E_PUBLISH_SCOPE_TAKEN"]);
  await hookpkg(other.path, "new", "guard", "--name", "@taken/guard");
  expect(await refusal(other.path, "publish", "guard")).toEqual([1, "E_PUBLISH_KEY"]);
  rmSync(join(other.path, "home", "config", "keys"), { recursive: true });
  expect(await refusal(other.path, "publish", "guard")).toEqual([1, "E_PUBLISH_NO_KEY"]);
  edit(other.path, "@taken/guard", "@nobody/guard");
  expect(await refusal(other.path, "publish", "guard")).toEqual([1, "E_PUBLISH_UNCLAIMED"]);
  edit(other.path, "@nobody/guard", "@openai/guard");
  expect(await refusal(other.path, "publish", "guard")).toEqual([1, "E_NAME_RESERVED"]);
  expect(await refusal(base.path, "publish", "guard", "--key", "gone.key")).toEqual([1, "E_FILE_READ"]);
  writeFileSync(join(base.path, "junk.key"), "x".repeat(100_000));
  expect((await refusal(base.path, "publish", "guard", "--key", "junk.key"))[0]).not.toBe(0);
});

test("at a terminal the first publish makes keys and claims the scope, asking one passphrase", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@fresh/guard");
  const { code, screen } = await atTerminal(
    base.path,
    ["publish", "guard", "--registry", serving.url],
    [
      [serving.root, "y"],
      ["Claim it", "y"],
      ["Passphrase", "a phrase\r"],
      ["same again", "a phrase\r"],
    ],
  );
  expect([code, screen]).toEqual([0, expect.stringContaining("@fresh/guard@0.1.0 is published")]);
  expect(await refusal(base.path, "publish", "guard", "--offline")).toEqual([1, "E_OFFLINE"]);
  edit(base.path, "0.1.0", "0.1.1");
  expect(await refusal(base.path, "publish", "guard")).toEqual([1, "E_NO_TERMINAL"]);
  const typed = await atTerminal(
    base.path,
    ["publish", "guard"],
    [
      ["Passphrase", "wrong\r"],
      ["is wrong", ""],
      ["Passphrase of", "a phrase\r"],
    ],
  );
  expect(typed.code).toBe(0);
});

test("a no to the registry, or Ctrl-C, binds and publishes nothing", async () => {
  using base = temporaryFolder();
  await hookpkg(base.path, "new", "guard", "--name", "@shy/guard");
  const args = ["publish", "guard", "--registry", serving.url];
  expect((await atTerminal(base.path, args, [[serving.root, "\r"]])).code).toBe(1);
  expect((await atTerminal(base.path, args, [[serving.root, "\u0003"]])).code).toBe(130);
  expect(await Bun.file(join(base.path, "home", "config", "scopes.json")).exists()).toBe(false);
});
