import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { INSTALL_TIMEOUT_MS, installHost } from "./drive.ts";

/** Codex's own trust, asked of the real program: `attach` says what is missing and gives none of it by itself. */
let folder = "";
let path = "";
const home = () => join(folder, "home");

beforeAll(async () => {
  const { program } = await installHost("codex");
  const [binary = ""] = new Bun.Glob("node_modules/@openai/codex-*/vendor/*/bin/codex").scanSync({
    cwd: program.folder,
  });
  path = `${join(program.folder, dirname(binary))}:/usr/bin:/bin`;
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-trust-")));
  mkdirSync(home());
}, INSTALL_TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hookpkg(...words: string[]) {
  const command = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install"];
  const main = join(import.meta.dir, "../../cli/main.ts");
  const env = { PATH: path, HOME: home() };
  const { stdout, exitCode } = Bun.spawnSync([...command, main, "--home", home(), ...words], { cwd: folder, env });
  return { out: stdout.toString(), exit: exitCode };
}

type Attached = { data: { hosts: [{ notes: string[] }] } };

test("an attach names each hook and its hash; trusted by the person, doctor and attach are content", () => {
  const { data }: Attached = JSON.parse(hookpkg("attach", "codex", "--json").out);
  const [{ notes }] = data.hosts;
  expect(notes[0]).toStartWith("NOT ACTIVE until Codex trusts it");
  const hashes = notes.flatMap((note) => /^(\w+): untrusted, (sha256:[0-9a-f]{64})$/.exec(note)?.slice(1) ?? []);
  expect(hashes).toHaveLength(20);
  expect(readdirSync(join(home(), ".codex"))).not.toContain("config.toml");
  expect(hookpkg("doctor").out).toContain("NOT ACTIVE until Codex trusts it");

  // What Codex writes when its person trusts a hook in /hooks: the event's name, the group and the hook by number.
  for (let at = 0; at < hashes.length; at += 2) {
    const event = (hashes[at] ?? "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const key = `${join(home(), ".codex/hooks.json")}:${event}:0:0`;
    appendFileSync(join(home(), ".codex/config.toml"), `[hooks.state."${key}"]\ntrusted_hash = "${hashes[at + 1]}"\n`);
  }
  const config = readFileSync(join(home(), ".codex/config.toml"), "utf8");
  const again: Attached = JSON.parse(hookpkg("attach", "codex", "--json").out);
  expect(again.data.hosts[0].notes[0]).toBe("Codex trusts its 10 hooks");
  expect(hookpkg("doctor").out).not.toContain("NOT ACTIVE");
  hookpkg("detach");
  expect(readFileSync(join(home(), ".codex/config.toml"), "utf8")).toBe(config);
}, 120_000);
