import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Canaries } from "./canaries.ts";
import { type Case, filled } from "./case.ts";

/** What became of the attempt outside the sandbox: it must reach what it is after, or the machine says that it has no such thing. */
export type Control = "reached" | "absent" | { missed: string };

export async function tryBare(one: Case, canaries: Canaries): Promise<Control> {
  if (one.bare === undefined) return "reached";
  const said = await saidOutside(one, canaries);
  const harm = canaries.harm();
  if (one.bare.absent !== undefined && new RegExp(one.bare.absent).test(said)) return "absent";
  const isReached =
    "says" in one.bare ? new RegExp(one.bare.says).test(said) : said.includes(canaries.token) || harm.length > 0;
  return isReached ? "reached" : { missed: said.slice(0, 300) };
}

/** As this user, with a data folder of its own and no sandbox at all. */
async function saidOutside(one: Case, { places }: Canaries): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-bare-"));
  mkdirSync(join(folder, "data"));
  const code = filled(one.code.join("\n").replace(/(?<![\w@])\/data\b/g, `${folder}/data`), places);
  cpSync(join(import.meta.dir, "tries.js"), join(folder, "tries.js"));
  writeFileSync(join(folder, "try.sh"), code);
  writeFileSync(
    join(folder, "try.js"),
    `import * as t from "./tries.js";\nconsole.log(await (async () => {\n${code}\n})());\nprocess.exit(0);`,
  );
  const command =
    one.kind === "command" ? ["/bin/sh", join(folder, "try.sh")] : [process.execPath, join(folder, "try.js")];
  const env = { PATH: "/usr/bin:/bin", HOME: folder, PLUGIN_DATA: join(folder, "data"), SSH_AUTH_SOCK: "canary" };
  const run = Bun.spawn(command, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  rmSync(folder, { recursive: true, force: true });
  return `${out}${err}`;
}
