import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOST_SETTINGS, type HostSettings } from "@hookpkg/hosts";
import { temporaryFolder } from "../author/test-program.ts";
import { approveAll, eventText, type TestProject, testProject, withStdin, writeGuard } from "../trust/test-project.ts";
import { askedVersion, installedVersion } from "./host-version.ts";

setDefaultTimeout(120_000);

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place[Symbol.dispose]());

function write(file: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}
function settingsOf(host: string): HostSettings {
  const found = HOST_SETTINGS.find((one) => one.host === host);
  if (!found) throw new Error(host);
  return found;
}

/** A host as npm installs one: its command is a link into its package. */
function npmHost(base: string, { program, npm = "" }: HostSettings, version: string, script = "exit 1"): string {
  const folder = join(base, "lib/node_modules", npm);
  write(join(folder, "package.json"), JSON.stringify({ name: npm, version }));
  write(join(folder, "dist/package.json"), '{"type":"module"}');
  const file = write(join(folder, "dist/cli.js"), `#!/bin/sh\n${script}\n`, 0o755);
  mkdirSync(join(base, "bin"), { recursive: true });
  symlinkSync(file, join(base, "bin", program));
  return join(base, "bin");
}

test("is its package's, beside the real program; a later one is seen at once", () => {
  const host = settingsOf("copilot-cli");
  const path = npmHost(place.path, host, "1.0.50");
  expect(installedVersion(host, path)).toBe("1.0.50");
  write(
    join(place.path, "lib/node_modules/@github/copilot/package.json"),
    '{"name":"@github/copilot","version":"1.0.102"}',
  );
  expect(installedVersion(host, path)).toBe("1.0.102");
});

test("is the name of its file, where versions lie side by side", () => {
  const file = write(join(place.path, "versions/2.1.300"), "", 0o755);
  symlinkSync(file, join(place.path, "claude"));
  expect(installedVersion(settingsOf("claude-code"), place.path)).toBe("2.1.300");
});

test("is not another package's around it, nor anything where it is not here", async () => {
  write(join(place.path, "package.json"), '{"name":"mine","version":"9.9.9"}');
  write(join(place.path, "codex"), "#!/bin/sh\nexit 1\n", 0o755);
  expect(installedVersion(settingsOf("codex"), place.path)).toBeUndefined();
  expect(await askedVersion(settingsOf("codex"), place.path)).toBeUndefined();
  expect(await askedVersion(settingsOf("qwen-code"), place.path)).toBeUndefined();
});

test("is what the program says at last, with none of our environment; a package's goes before", async () => {
  const say = 'echo "codex-cli 0.171.0 $HOME"; test -z "$SECRET" || exit 1';
  write(join(place.path, "codex"), `#!/bin/sh\n${say}\n`, 0o755);
  process.env.SECRET = "x";
  expect(await askedVersion(settingsOf("codex"), `${place.path}:/bin`)).toBe("0.171.0");
  delete process.env.SECRET;
  const host = settingsOf("gemini-cli");
  expect(await askedVersion(host, npmHost(place.path, host, "0.61.0", "echo 0.1.1"))).toBe("0.61.0");
});

/** hookpkg in a project whose person has this host. */
function hookpkg(project: TestProject, path: string, ...args: string[]) {
  const main = join(import.meta.dir, "../main.ts");
  const words = [process.execPath, main, ...args, "--home", join(project.path, "home")];
  const env = { PATH: `${path}:/usr/local/bin:/usr/bin:/bin` };
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd: project.path, env, stdin: "ignore" });
  return { code: exitCode, out: stdout.toString().replace(/\s+/g, " "), err: stderr.toString() };
}
const settingsIn = (project: TestProject, path: string) =>
  JSON.parse(readFileSync(join(project.path, "home", path), "utf8"));

test("an old Claude Code: entries without onFailure, what passes is told, and entries are for the new one after an update", async () => {
  using project = await testProject();
  await approveAll(project.path);
  const host = settingsOf("claude-code");
  const path = npmHost(place.path, host, "2.1.200");
  const attached = hookpkg(project, path, "attach", "claude-code");
  expect([attached.code, attached.out]).toEqual([0, expect.stringContaining("2.1.200 lets a call pass")]);
  const entry = () => settingsIn(project, ".claude/settings.json").hooks.PreToolUse[0].hooks[0];
  expect(entry().onFailure).toBeUndefined();
  expect(settingsIn(project, "state/attached.json").attachments).toMatchObject([{ version: "2.1.200" }]);
  expect(hookpkg(project, path, "doctor").out).toContain("update to ≥ 2.1.295");
  const start = eventText(project.path, "", { hook_event_name: "SessionStart", source: "startup" });
  const told = await withStdin(project.path, ["run", "claude-code"], { stdin: start });
  expect(JSON.parse(told.out).systemMessage).toContain("claude-code 2.1.200 lets a call pass");
  const env = { AI_AGENT: "claude-code_2-1-332_harness" };
  const newer = await withStdin(project.path, ["run", "claude-code"], { stdin: start, env });
  expect(newer.out).not.toContain("lets a call pass");

  write(
    join(place.path, "lib/node_modules", host.npm ?? "", "package.json"),
    JSON.stringify({ name: host.npm, version: "2.1.332" }),
  );
  for (let n = 0; n < 2; n++)
    expect(hookpkg(project, path, "doctor").out).toContain("its entries are for 2.1.200, and it is 2.1.332");
  hookpkg(project, path, "attach", "claude-code");
  expect(entry().onFailure).toBe("block");
  expect(hookpkg(project, path, "doctor").out).toContain("claude-code: its version: 2.1.332");
});

test("an event that the installed version has not reaches no handler: list says NEVER, and looks anew", async () => {
  using project = await testProject();
  const declared = {
    hooks: { SessionStart: [{ hooks: [{ id: "hello", type: "module", module: "./guard.ts", may: ["context"] }] }] },
  };
  writeFileSync(join(project.path, "guard/hooks/hooks.json"), JSON.stringify(declared));
  const host = settingsOf("qwen-code");
  const path = npmHost(place.path, host, "0.15.10");
  hookpkg(project, path, "attach", "qwen-code");
  const installed = hookpkg(project, path, "install", "./guard");
  expect(installed.out).toContain("NEVER on qwen-code: qwen-code does not ask hookpkg at SessionStart");
  write(
    join(place.path, "lib/node_modules", host.npm ?? "", "package.json"),
    JSON.stringify({ name: host.npm, version: "0.24.4" }),
  );
  expect(hookpkg(project, path, "list").out).toContain("would run on qwen-code, once approved");
});

test("a project's entries are for everybody's version; a newer Qwen Code wants an approval of them", async () => {
  using project = await testProject();
  writeGuard(project.path, {});
  const host = settingsOf("qwen-code");
  const path = npmHost(place.path, host, "0.26.8");
  expect(hookpkg(project, path, "attach", "qwen-code", "--shared").out).toContain("asks for your approval");
  const claude = settingsOf("claude-code");
  hookpkg(project, npmHost(place.path, claude, "2.1.200"), "attach", "claude-code", "--shared");
  const { hooks } = JSON.parse(readFileSync(join(project.path, ".claude/settings.json"), "utf8"));
  expect(hooks.PreToolUse[0].hooks[0].onFailure).toBe("block");
});
