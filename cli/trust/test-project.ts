import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HandlerState } from "@hookpkg/spec";
import { type Ended, hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";

/** For tests: a project in a folder of its own, with a small local guard; the program, store, keys and sandbox are real. */
export type TestProject = { path: string; [Symbol.dispose](): void };

export const GUARD = "file:./guard#no-rm";
const MAIN = join(import.meta.dir, "..", "main.ts");
const REFUSED = "rm -rf";

/** Code of a guard that cancels every command with a word in it. */
export function guardCode(word = REFUSED): string {
  return `export default (event) => JSON.stringify(event.tool_input).includes(${JSON.stringify(word)})
  ? { answer: "cancel", reason: "no ${word} here" } : undefined;\n`;
}

export async function testProject(): Promise<TestProject> {
  const base = temporaryFolder();
  writeGuard(base.path, {});
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  return base;
}

/** Writes the guard's folder anew; `handler` lays fields over its declaration. */
export function writeGuard(
  base: string,
  {
    code = guardCode(),
    handler = {},
    manifest = {},
    matcher = "Bash",
  }: { code?: string; handler?: object; manifest?: object; matcher?: string },
): void {
  const guard = join(base, "guard");
  for (const folder of ["hooks", "test/cases"]) mkdirSync(join(guard, folder), { recursive: true });
  const json = (path: string, value: unknown) => writeFileSync(join(guard, path), JSON.stringify(value, null, 2));
  json("hookpkg.json", {
    ...{ name: "@acme/guard", version: "1.0.0", description: "Refuses removals", license: "MIT", ...manifest },
  });
  const declared = {
    id: "no-rm",
    type: "module",
    module: "./guard.ts",
    failMode: "closed",
    may: ["cancel"],
    ...handler,
  };
  json("hooks/hooks.json", { hooks: { PreToolUse: [{ matcher, hooks: [declared] }] } });
  const call = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
  json("test/cases/cases.json", [
    { name: "a removal", event: "PreToolUse", input: call("rm -rf x"), want: { answer: "cancel" } },
    { name: "a listing", event: "PreToolUse", input: call("ls"), want: { answer: "continue" } },
  ]);
  writeFileSync(join(guard, "guard.ts"), code);
}

/** Approves all that waits with an automation key, as a script would. */
export async function approveAll(base: string): Promise<void> {
  const key = join(base, "ci.key");
  await hookpkg(base, "keygen", "--automation", key, "--no-passphrase");
  for (const { identity } of await waiting(base))
    await must(hookpkg(base, "approve", "--identity", identity, "--key", key));
}

export async function waiting(base: string): Promise<HandlerState[]> {
  const { result } = await hookpkgJson(base, "approve", "--list");
  return result.ok && "waiting" in result.data ? (result.data.waiting as HandlerState[]) : []; // the command's own type
}

export async function must(running: Promise<Ended>, code = 0): Promise<Ended> {
  const ended = await running;
  if (ended.code !== code) throw new Error(`exit ${ended.code}, not ${code}: ${ended.out}${ended.err}`);
  return ended;
}

/** The text of one event of a host. */
export function eventText(base: string, command: string, more: object = {}): string {
  const common = { hook_event_name: "PreToolUse", session_id: "s-1", transcript_path: null, cwd: base };
  return JSON.stringify({ ...common, tool_name: "Bash", tool_input: { command }, tool_use_id: "t-1", ...more });
}

/** A host in a process of its own, as hosts are: it starts its words, hands its stdin on and ends as they end. */
const HOST = `const { exitCode } = Bun.spawnSync(process.argv.slice(1), { stdio: ["inherit", "inherit", "inherit"] }); process.exit(exitCode);`;

/** The program below a host, with an event on stdin and with a chosen environment. */
export async function withStdin(
  base: string,
  args: readonly string[],
  { stdin, env = {} }: { stdin: string | Uint8Array; env?: Record<string, string> },
): Promise<Ended> {
  const program = [process.execPath, MAIN, ...args, "--home", join(base, "home")];
  const started = Bun.spawn([process.execPath, "-e", HOST, ...program], {
    cwd: base,
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...env },
  });
  const [code, out, err] = await Promise.all([started.exited, started.stdout.text(), started.stderr.text()]);
  return { code, out, err };
}

/** Every file of the person's state and keys with its bytes: what must not change when something is refused. */
export function stateOf(base: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const folder of ["config", "state"])
    for (const name of readdirSync(join(base, "home", folder), { recursive: true, withFileTypes: true }))
      if (name.isFile() && !name.name.endsWith("lock"))
        found[join(name.parentPath, name.name)] = readFileSync(join(name.parentPath, name.name), "latin1");
  return found;
}
