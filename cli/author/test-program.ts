import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { discardFolder } from "@hookpkg/archive";
import type { JsonResult } from "@hookpkg/spec";

/** For tests: the real program in a process of its own, with folders of its own. */

const MAIN = join(import.meta.dir, "..", "main.ts");

export type Ended = { code: number; out: string; err: string };

/** A folder that is removed at the end of the block (`using`). */
export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "hookpkg-cli-"));
  return { path, [Symbol.dispose]: () => discardFolder(path) };
}

/** `base` holds the person's folders and is where the program is started. */
export async function hookpkg(base: string, ...args: string[]): Promise<Ended> {
  const program = started(base, ...args);
  const [code, out, err] = await Promise.all([program.exited, program.stdout.text(), program.stderr.text()]);
  return { code, out, err };
}

/** The same, to be killed. */
export function started(base: string, ...args: string[]) {
  return Bun.spawn([process.execPath, MAIN, ...args, "--home", join(base, "home")], {
    cwd: base,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
}

/** The one document of `--json`, and the exit code. */
export async function hookpkgJson(
  base: string,
  ...args: string[]
): Promise<{ code: number; result: JsonResult<object> }> {
  const { code, out } = await hookpkg(base, ...args, "--json");
  const result: JsonResult<object> = JSON.parse(out);
  return { code, result };
}

/** Exit code and code of a refusal, which must not show a stack. */
export async function refusal(base: string, ...args: string[]): Promise<[exit: number, code: string]> {
  const { code, out, err } = await hookpkg(base, ...args, "--json");
  if (/\n\s+at /.test(out + err)) throw new Error(`a stack was shown: ${out}${err}`);
  const result: JsonResult<object> = JSON.parse(out);
  return [code, result.ok ? "" : result.error.code];
}

/** What is typed once a text has been shown since the last one was. */
export type Typed = readonly [shown: string, keys: string];

/** The program at a terminal of its own; `screen` is all that was shown. */
export async function atTerminal(
  base: string,
  args: readonly string[],
  script: readonly Typed[],
  command: readonly string[] = [process.execPath, MAIN, ...args, "--home", join(base, "home")],
): Promise<{ code: number; screen: string }> {
  let screen = "";
  let seen = 0;
  const waiting = [...script];
  const program = Bun.spawn([...command], {
    cwd: base,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", TERM: "xterm" },
    terminal: {
      cols: 200,
      rows: 50,
      data(terminal, bytes) {
        screen += new TextDecoder().decode(bytes);
        // One chunk may show several of the texts.
        for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
          const at = screen.indexOf(next[0], seen);
          if (at < 0) return;
          seen = at + next[0].length;
          waiting.shift();
          terminal.write(next[1]);
        }
      },
    },
  });
  return { code: await program.exited, screen };
}
