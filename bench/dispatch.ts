// bun bench/dispatch.ts: what an event costs. Each row compares ways that took turns in one run; the ratios count, not the times.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  approvedSet,
  dispatch,
  gate,
  homeFolders,
  keepSandbox,
  openEngine,
  projectAt,
  REAL_OUTSIDE,
  Workers,
} from "../runtime/index.ts";
import { print, sideBySide } from "./measure.ts";
import { BUN_GUARD, barePipe, PYTHON_GUARD } from "./rivals.ts";
import { eventIn, openStage, project } from "./stage.ts";

const GUARD = `export default (event: { tool_input: { command?: string } }) =>
  event.tool_input.command?.includes("rm -rf") ? { answer: "cancel", reason: "no" } : undefined;\n`;
const MODULE = { type: "module", module: "./guard.ts" };
const COMMAND = { type: "command", command: "cat >/dev/null" };

const stage = await openStage();
const workers = new Workers();
try {
  const home = homeFolders(stage.home);
  const engine = openEngine({
    ...{ home, env: {}, worker: process.execPath, workers },
    sandbox: keepSandbox(home, process.execPath),
  });
  const one = await project(stage, "one", 1, MODULE, GUARD);
  const ten = await project(stage, "ten", 10, MODULE, GUARD);
  const command = await project(stage, "command", 1, COMMAND, GUARD);
  const request = (root: string, tool?: string) => ({ payload: eventIn(root, tool), host: "native", canAsk: true });
  const event = (root: string, tool?: string) => () => dispatch(request(root, tool), engine);

  await rowOfHandler(one);
  await rowOfChain(one, ten);
  await rowOfCommand(command);
  await rowOfNoMatch(one);
  await rowOfRun(one);

  /** The handler's own run, without the stations around it. */
  async function handlerOf(root: string) {
    const place = projectAt(home, root);
    if (place === undefined) throw new Error(root);
    const [runnable] = await gate(home, (await approvedSet(home, [place], REAL_OUTSIDE)).handlers);
    if (runnable?.kind !== "runnable") throw new Error(JSON.stringify(runnable));
    const run = engine.run(request(root), place);
    return () => run(runnable, { payload: eventIn(root), recheck: false, timeoutMs: 10_000 });
  }

  async function rowOfHandler(root: string): Promise<void> {
    const pipe = barePipe(root);
    const ways = { "warm sandboxed module": await handlerOf(root), "bare pipe": pipe.ask };
    const medians = await sideBySide(ways, { warmup: 500, rounds: 5000 });
    pipe.close();
    const ratio = (medians["warm sandboxed module"] ?? 0) / (medians["bare pipe"] ?? 1);
    print({ what: "one handler", medians, result: `${ratio.toFixed(2)} ×`, aim: "≤ 1.5 ×", kept: ratio <= 1.5 });
  }

  async function rowOfChain(first: string, second: string): Promise<void> {
    const ways = { "1 handler": event(first), "10 handlers": event(second) };
    const medians = await sideBySide(ways, { warmup: 100, rounds: 500 });
    const ratio = (medians["10 handlers"] ?? 0) / (medians["1 handler"] ?? 1);
    print({ what: "a chain", medians, result: `${ratio.toFixed(2)} ×`, aim: "≤ 10 ×", kept: ratio <= 10 });
  }

  async function rowOfCommand(root: string): Promise<void> {
    const payload = new Blob([JSON.stringify(eventIn(root))]);
    const bare = async () => {
      const ran = Bun.spawn(["/bin/sh", "-c", COMMAND.command], { stdin: payload, stdout: "pipe", stderr: "pipe" });
      await Promise.all([ran.exited, ran.stdout.text(), ran.stderr.text()]);
    };
    const medians = await sideBySide({ sandboxed: await handlerOf(root), bare }, { warmup: 5, rounds: 100 });
    const more = (medians.sandboxed ?? 0) - (medians.bare ?? 0);
    const aim = process.getuid?.() === 0 ? 8 : 6;
    print({ what: "a command", medians, result: `+ ${more.toFixed(1)} ms`, aim: `+ ${aim} ms`, kept: more <= aim });
  }

  async function rowOfNoMatch(root: string): Promise<void> {
    const medians = await sideBySide({ "no match": event(root, "Read") }, { warmup: 100, rounds: 1000 });
    const ms = medians["no match"] ?? 0;
    print({
      what: "an event that no handler matches",
      medians,
      result: `${ms.toFixed(2)} ms`,
      aim: "< 1 ms",
      kept: ms < 1,
    });
  }

  /** As a host starts it: processes from start to end. */
  async function rowOfRun(root: string): Promise<void> {
    const python = join(stage.base, "guard.py");
    const bun = join(stage.base, "guard.ts");
    writeFileSync(python, PYTHON_GUARD);
    writeFileSync(bun, BUN_GUARD);
    const stdin = new Blob([JSON.stringify(eventIn(root))]);
    const start =
      (...words: string[]) =>
      async () => {
        const ran = Bun.spawn(words, {
          cwd: root,
          stdin,
          stdout: "pipe",
          stderr: "ignore",
          env: { PATH: "/usr/bin:/bin" },
        });
        await Promise.all([ran.exited, ran.stdout.text()]);
      };
    const hookpkg = start(stage.program, "run", "native", "--home", stage.home);
    await hookpkg();
    await Bun.sleep(2000); // the first one starts the daemon
    const ways = {
      "hookpkg run": hookpkg,
      python3: start("/usr/bin/python3", python),
      bun: start(process.execPath, bun),
    };
    const medians = await sideBySide(ways, { warmup: 30, rounds: 100 });
    const [ours = 0, ...others] = Object.values(medians);
    const ratio = ours / Math.min(...others);
    const aim = "faster than both";
    print({
      what: "hookpkg run, daemon warm",
      medians,
      result: `${ratio.toFixed(2)} × the faster`,
      aim,
      kept: ratio < 1,
    });
  }
} finally {
  await workers.close();
  await stage.close();
}
process.exit();
