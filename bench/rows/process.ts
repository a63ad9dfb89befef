import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Row, ratioRow, sideBySide } from "../measure.ts";
import { BUN_GUARD, PYTHON_GUARD } from "../rivals.ts";
import { eventIn, must, project, type Stage } from "../stage.ts";

/** As a host starts it: processes from start to end, the compiled program beside the same guard as a plain script. */
export async function processRow(stage: Stage): Promise<Row> {
  const program = join(stage.base, "bin", "hookpkg");
  await must([process.execPath, join(import.meta.dir, "..", "..", "cli", "build.ts"), program], stage.base);
  const root = await project(stage, "process");
  const [python, bun] = [join(stage.base, "guard.py"), join(stage.base, "guard.ts")];
  writeFileSync(python, PYTHON_GUARD);
  writeFileSync(bun, BUN_GUARD);
  const home = ["--home", join(stage.base, "home")];
  const hookpkg = starts(root, program, "run", "native", ...home);
  await warm(root, hookpkg, [program, "daemon", "status", "--json", ...home]);
  const ways = {
    ...{ "hookpkg run": hookpkg, python3: starts(root, "/usr/bin/python3", python) },
    "bun guard.ts": starts(root, process.execPath, bun),
  };
  const medians = await sideBySide(ways, { warmup: 5, rounds: 40 });
  await must([program, "daemon", "stop", ...home], stage.base);
  return ratioRow("hookpkg run, daemon warm", medians, { most: 1, aim: "< both" });
}

function starts(root: string, ...words: string[]): () => Promise<void> {
  const stdin = new Blob([JSON.stringify(eventIn(root))]);
  return async () => {
    const ran = Bun.spawn(words, {
      cwd: root,
      stdin,
      stdout: "pipe",
      stderr: "ignore",
      env: { PATH: "/usr/bin:/bin" },
    });
    await Promise.all([ran.exited, ran.stdout.text()]);
    if (ran.exitCode !== 0) throw new Error(`${words[0]}: exit ${ran.exitCode}`);
  };
}

/** The first event starts the daemon. */
async function warm(root: string, event: () => Promise<void>, status: string[]): Promise<void> {
  for (let asked = 0; asked < 100; asked++) {
    await event();
    if ((await must(status, root)).includes('"running":true')) return;
    await Bun.sleep(200);
  }
  throw new Error("no daemon came up");
}
