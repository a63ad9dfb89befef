import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { keyFileHead, openKey } from "@hookpkg/signing";
import { atTerminal, hookpkg, hookpkgJson, refusal, temporaryFolder } from "./test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

const keysOf = (base: string) => join(base, "home", "config", "keys");
const RELEASE = "acme.release.key";

test("keys without a passphrase are made when that is said, for their owner alone, and never again", async () => {
  using base = temporaryFolder();
  const made = await hookpkgJson(base.path, "keygen", "--scope", "@acme", "--no-passphrase");
  const file = join(keysOf(base.path), RELEASE);
  const bytes = readFileSync(file);
  const key = await openKey(bytes, null);
  expect(made.result).toMatchObject({ ok: true, data: { file, id: key.id, public: key.public, encrypted: false } });
  for (const name of [RELEASE, "acme.root.key"])
    expect(statSync(join(keysOf(base.path), name)).mode & 0o777).toBe(0o600);
  expect(await refusal(base.path, "keygen", "--scope", "@acme", "--no-passphrase")).toEqual([1, "E_KEYGEN_EXISTS"]);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("at a terminal a passphrase is asked twice and seals both keys", async () => {
  using base = temporaryFolder();
  const { code, screen } = await atTerminal(
    base.path,
    ["keygen", "--scope", "@acme"],
    [
      ["Passphrase", "correct horse\r"],
      ["same again", "battery\r"],
      ["Passphrase", "correct horse\r"],
      ["same again", "correct horse\r"],
    ],
  );
  expect(code).toBe(0);
  expect(screen).not.toContain("correct");
  for (const name of [RELEASE, "acme.root.key"]) {
    const bytes = readFileSync(join(keysOf(base.path), name));
    expect(keyFileHead(bytes).encrypted).toBe(true);
    expect((await openKey(bytes, "correct horse")).public).toBe(keyFileHead(bytes).public);
  }
});

test("Ctrl-C leaves no key", async () => {
  using base = temporaryFolder();
  const { code } = await atTerminal(base.path, ["keygen", "--scope", "@acme"], [["Passphrase", "abc\u0003"]]);
  expect(code).toBe(130);
  expect(existsSync(keysOf(base.path))).toBe(false);
});

test("without a terminal nothing is asked: the flag is named", async () => {
  using base = temporaryFolder();
  const { code, result } = await hookpkgJson(base.path, "keygen", "--scope", "@acme");
  expect([code, result]).toMatchObject([
    1,
    { ok: false, error: { code: "E_NO_TERMINAL", facts: { flag: "--no-passphrase" } } },
  ]);
  expect(existsSync(keysOf(base.path))).toBe(false);
});

test("what is no scope, or somebody else's, or too much at once", async () => {
  using base = temporaryFolder();
  const keygen = (...args: string[]) => refusal(base.path, "keygen", ...args, "--no-passphrase");
  expect(await keygen("--scope", "@../../x")).toEqual([1, "E_SCOPE"]);
  expect(await keygen("--scope", "acme")).toEqual([1, "E_SCOPE"]);
  expect(await keygen("--scope", "@anthropic")).toEqual([1, "E_NAME_RESERVED"]);
  expect(await keygen()).toEqual([64, "E_USAGE"]);
  expect(await keygen("--scope", "@a", "--automation", "x")).toEqual([64, "E_USAGE"]);
  expect(existsSync(keysOf(base.path))).toBe(false);
});

test("the first automation key is listed freely; a second one needs a person's, and leaves no file without", async () => {
  using base = temporaryFolder();
  const made = await hookpkgJson(base.path, "keygen", "--automation", "ci.key");
  expect(made).toMatchObject({ code: 0, result: { ok: true, data: { encrypted: false } } });
  expect(statSync(join(base.path, "ci.key")).mode & 0o777).toBe(0o600);
  const listed: unknown = JSON.parse(readFileSync(join(keysOf(base.path), "approvers.json"), "utf8"));
  expect(listed).toMatchObject({ keys: [{ kind: "automation" }] });
  expect(await refusal(base.path, "keygen", "--automation", "ci.key")).toEqual([1, "E_KEYGEN_EXISTS"]);
  expect(await refusal(base.path, "keygen", "--automation", "second.key")).toEqual([1, "E_APPROVERS_KEY"]);
  expect(readdirSync(base.path).sort()).toEqual(["ci.key", "home"]);
});

test("a key file that is too large, none, or a pipe is refused where it is opened", async () => {
  using base = temporaryFolder();
  const { code } = await hookpkg(base.path, "keygen", "--automation", "/proc/ci.key");
  expect(code).toBe(1);
});
