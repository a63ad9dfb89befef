import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Row, sideBySide } from "../measure.ts";
import { COMMAND, eventIn, project, runOf, type Stage } from "../stage.ts";

/** What the sandbox of a command costs: a process from its start to its end, bare and inside. */
export async function commandRow(stage: Stage): Promise<Row> {
  const root = await project(stage, "command", { handler: COMMAND });
  const payload = new Blob([JSON.stringify(eventIn(root))]);
  const bare = async () => {
    const ran = Bun.spawn(["/bin/sh", "-c", COMMAND.command], { stdin: payload, stdout: "pipe", stderr: "pipe" });
    await Promise.all([ran.exited, ran.stdout.text(), ran.stderr.text()]);
  };
  const medians = await sideBySide({ sandboxed: await runOf(stage, root), bare }, { warmup: 5, rounds: 100 });
  const more = (medians.sandboxed ?? 0) - (medians.bare ?? 0);
  const isRoot = process.getuid?.() === 0;
  const aim = isRoot ? 8 : 6;
  const what = `a command, as ${isRoot ? "root" : "a user"}`;
  return { what, medians, result: `+ ${more.toFixed(1)} ms`, aim: `+ ${aim} ms`, kept: more <= aim };
}

/** The same as a user: by a process that gave up being root. Undefined where we are a user already. */
export async function commandRowOfUser(): Promise<Row | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "hookpkg-bench-user-"));
  chmodSync(folder, 0o777);
  const become = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];
  const words = [process.execPath, join(import.meta.dir, "..", "dispatch.ts"), "--json", "command"];
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder, TMPDIR: folder };
  const ran = Bun.spawn([...become, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  const out = await ran.stdout.text();
  rmSync(folder, { recursive: true, force: true });
  if ((await ran.exited) !== 0) throw new Error(`the bench as a user: exit ${ran.exitCode}`);
  const [row] = JSON.parse(out) as Row[]; // our own lines
  return row;
}
