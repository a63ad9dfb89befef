import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, temporaryFolder } from "../author/test-program.ts";
import { earlyVariables } from "./project-environment.ts";

setDefaultTimeout(60_000);

test("variables that a shell or loader obeys before any entry are found where a project sets them for hooks", async () => {
  using base = temporaryFolder();
  const put = (path: string, text: string) => {
    mkdirSync(join(base.path, path, ".."), { recursive: true });
    writeFileSync(join(base.path, path), text);
  };
  put(".env", "A=1\nMY_LD_PATH=x\n# about SHELLOPTS\n");
  expect(earlyVariables(base.path)).toEqual([]);
  put(".env", "export BASH_ENV=./x.sh\nLD_PRELOAD = y\n");
  put(".claude/settings.json", JSON.stringify({ env: { "BASH_FUNC_exit%%": "() { :; }", SHELLOPTS: "noexec" } }));
  Bun.spawnSync(["mkfifo", join(base.path, ".envrc")]);
  expect(earlyVariables(base.path).map(({ file, names }) => [file.slice(base.path.length + 1), names])).toEqual([
    [".claude/settings.json", ["BASH_FUNC_exit%%", "SHELLOPTS"]],
    [".env", ["BASH_ENV", "LD_PRELOAD"]],
  ]);
  await hookpkg(base.path, "init");
  const doctor = await hookpkg(base.path, "doctor");
  expect(doctor.out).toContain("BASH_ENV");
  const attached = await hookpkg(base.path, "attach", "claude-code");
  expect(attached.out).toContain("SHELLOPTS");
  await hookpkg(base.path, "daemon", "stop");
});
