import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Serving, serveRegistry } from "@hookpkg/registry";
import { atTerminal, hookpkg, hookpkgJson, refusal, temporaryFolder } from "../author/test-program.ts";

// Each case starts the real program, some of them often.
setDefaultTimeout(120_000);

const portOf = ({ url }: Serving) => Number(new URL(url).port);

async function claimed(base: string, { url, root }: Serving): Promise<void> {
  await hookpkg(base, "keygen", "--scope", "@acme", "--no-passphrase");
  const { code, err } = await hookpkg(base, "scope", "claim", "@acme", "--registry", url, "--registry-root", root);
  expect([code, err]).toEqual([0, ""]);
  await hookpkg(base, "new", "guard", "--name", "@acme/guard");
}

test("an address is bound to one root: said, then held to it", async () => {
  using base = temporaryFolder();
  const first = await serveRegistry({ dataDir: join(base.path, "one") });
  const other = `sha256:${"0".repeat(64)}`;
  const claim = (...more: string[]) => refusal(base.path, "scope", "claim", "@acme", "--registry", first.url, ...more);
  expect(await claim()).toEqual([1, "E_NO_TERMINAL"]);
  expect(await claim("--registry-root", other)).toEqual([4, "E_VERIFY_ROOT"]);
  expect(existsSync(join(base.path, "home", "config", "scopes.json"))).toBe(false);
  await claimed(base.path, first);
  expect(await claim("--registry-root", other)).toEqual([4, "E_VERIFY_ROOT"]);
  await first.stop();
  const second = await serveRegistry({ dataDir: join(base.path, "two"), port: portOf(first) });
  expect(await refusal(base.path, "publish", "guard")).toEqual([4, "E_REGISTRY_CHANGED"]);
  await second.stop();
});

test("at first use the root is asked about in lines of its own", async () => {
  using base = temporaryFolder();
  const serving = await serveRegistry({ dataDir: join(base.path, "one") });
  const claim = ["scope", "claim", "@acme", "--registry", serving.url];
  const { screen } = await atTerminal(base.path, claim, [["told you?", "\r"]]);
  expect(screen).not.toContain("U+000A");
  for (const line of [`First use of ${serving.url}`, `its root is ${serving.root}`])
    expect(screen.split("\n").filter((each) => each.trimEnd().endsWith(line)).length).toBeGreaterThan(0);
  await serving.stop();
});

test("a scope stays at its registry", async () => {
  using base = temporaryFolder();
  const [one, two] = [
    await serveRegistry({ dataDir: join(base.path, "one") }),
    await serveRegistry({ dataDir: join(base.path, "two") }),
  ];
  await claimed(base.path, one);
  const at = ["--registry", two.url, "--registry-root", two.root];
  expect(await refusal(base.path, "publish", "guard", ...at)).toEqual([4, "E_VERIFY_SCOPE_REGISTRY"]);
  await Promise.all([one.stop(), two.stop()]);
});

test("a registry that forgets a scope's claim is not believed", async () => {
  using base = temporaryFolder();
  const data = join(base.path, "data");
  const first = await serveRegistry({ dataDir: data });
  await first.stop();
  cpSync(data, join(base.path, "before"), { recursive: true });
  const second = await serveRegistry({ dataDir: data, port: portOf(first) });
  await claimed(base.path, second);
  await second.stop();
  const third = await serveRegistry({ dataDir: join(base.path, "before"), port: portOf(first) });
  expect(await refusal(base.path, "publish", "guard")).toEqual([4, "E_VERIFY_SCOPE_ROLLBACK"]);
  await third.stop();
});

test("two histories of one log are evidence, with an exit code of their own", async () => {
  using base = temporaryFolder();
  const data = join(base.path, "data");
  const first = await serveRegistry({ dataDir: data });
  await claimed(base.path, first);
  await first.stop();
  cpSync(data, join(base.path, "fork"), { recursive: true });
  const second = await serveRegistry({ dataDir: data, port: portOf(first) });
  expect((await hookpkg(base.path, "publish", "guard")).code).toBe(0);
  await second.stop();
  const fork = await serveRegistry({ dataDir: join(base.path, "fork"), port: portOf(first) });
  const manifest = join(base.path, "guard", "hookpkg.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace("0.1.0", "0.3.0"));
  const { code, result } = await hookpkgJson(base.path, "publish", "guard");
  expect([code, result]).toMatchObject([5, { ok: false, error: { code: "E_SPLIT_VIEW" } }]);
  const kept = join(base.path, "home", "state", "split-views");
  const evidence: unknown = JSON.parse(readFileSync(join(kept, readdirSync(kept)[0] ?? ""), "utf8"));
  expect(evidence).toMatchObject({
    seen: expect.stringContaining("hookpkg-log"),
    shown: expect.stringContaining("hookpkg-log"),
  });
  await fork.stop();
});

test("a damaged scopes.json is named, not overwritten", async () => {
  using base = temporaryFolder();
  const serving = await serveRegistry({ dataDir: join(base.path, "data") });
  await claimed(base.path, serving);
  const file = join(base.path, "home", "config", "scopes.json");
  writeFileSync(file, "{}");
  expect((await refusal(base.path, "publish", "guard"))[1]).toBe("E_STATE_FILE");
  expect(readFileSync(file, "utf8")).toBe("{}");
  await serving.stop();
});
