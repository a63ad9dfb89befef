import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The compiled program, in a folder of its own until it is disposed of. */
export function buildProgram(): Disposable & { program: string } {
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-built-"));
  const program = join(folder, "hookpkg");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, join(import.meta.dir, "../../cli/build.ts"), program]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return { program, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
