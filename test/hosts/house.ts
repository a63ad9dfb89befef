import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Stage } from "./stage.ts";

export type Ended = { exit: number; stdout: string; stderr: string };
/** Runs hookpkg in the project. */
export type Hookpkg = (...words: string[]) => Promise<Ended>;

/** A hook package: its modules by path, and `hooks` of its hooks.json. */
export type PackageText = { files: Readonly<Record<string, string>>; hooks: object };

/** Makes the package `guard` in the project, installs it and approves all of it. */
export async function approveGuard({ project, home }: Stage, hookpkg: Hookpkg, guard: PackageText): Promise<void> {
  packageAt(join(project, "guard"), guard);
  await must(hookpkg("init"));
  await must(hookpkg("install", "./guard"), 3);
  const key = join(dirname(home), "approver.key");
  await must(hookpkg("keygen", "--automation", key, "--no-passphrase"));
  const { data }: { data: { waiting: { identity: string }[] } } = JSON.parse(
    (await must(hookpkg("approve", "--list", "--json"), 3)).stdout,
  );
  for (const { identity } of data.waiting) await hookpkg("approve", "--identity", identity, "--key", key);
}

/** Its name is that of the folder. */
export function packageAt(folder: string, { files, hooks }: PackageText): void {
  const name = `@house/${folder.slice(folder.lastIndexOf("/") + 1)}`;
  put(join(folder, "hookpkg.json"), JSON.stringify({ name, version: "1.0.0", description: "For a test." }));
  put(join(folder, "hooks/hooks.json"), JSON.stringify({ hooks }));
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
}

export function put(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

export async function started(command: string[], cwd: string, stdin = ""): Promise<Ended> {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  const child = Bun.spawn(command, { cwd, env, stdin: new Blob([stdin]), stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exit, stdout, stderr };
}

export async function must(running: Promise<Ended>, exit = 0): Promise<Ended> {
  const ran = await running;
  if (ran.exit !== exit) throw new Error(`exit ${ran.exit} instead of ${exit}\n${ran.stdout}${ran.stderr}`);
  return ran;
}
