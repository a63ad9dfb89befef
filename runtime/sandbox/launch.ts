import { closeSync } from "node:fs";
import type { Fault } from "@hookpkg/fault";
import { refuse } from "../faults.ts";
import { type Allowance, type Excess, excessOf, LOOK_MS, LOOK_SHARE } from "./excess.ts";
import type { Plan } from "./plan.ts";
import { type Sandbox, start } from "./start.ts";

/**
 * `deadlineMs` counts from the start. Each stream is kept to `keepBytes`, drained above that, and fatal at `floodBytes`. `allowance`: what
 * all its processes may use together, looked at while they run. `signal`: ends it as if it were late.
 */
export type Bounds = {
  deadlineMs: number;
  keepBytes: number;
  floodBytes: number;
  allowance?: Allowance;
  signal?: AbortSignal | undefined;
};

type Streams = { stdout: Uint8Array; stderr: Uint8Array; stdoutCut: boolean; stderrCut: boolean; ms: number };

export type SandboxEnd =
  | ({ how: "exited"; code: number } & Streams)
  | ({ how: "signalled"; signal: number } & Streams)
  | ({ how: "late" } & Streams)
  | ({ how: "flooded" } & Streams)
  | ({ how: "excess"; why: Excess } & Streams)
  | { how: "unavailable"; fault: Fault };

/** One sandboxed program from start to end. Never throws; whatever the program does, nothing of it is left when this returns. */
export async function launch(plan: Plan, stdin: Uint8Array, bounds: Bounds): Promise<SandboxEnd> {
  const from = performance.now();
  let sandbox: Sandbox;
  try {
    sandbox = start(plan, stdin);
  } catch (cause) {
    return { how: "unavailable", fault: refuse("E_SANDBOX_START", { program: plan.program }, cause) };
  }
  let cause: { how: "late" } | { how: "flooded" } | { how: "excess"; why: Excess } | undefined;
  const stop = (why: NonNullable<typeof cause>) => {
    cause ??= why;
    sandbox.kill();
  };
  const late = () => stop({ how: "late" });
  bounds.signal?.addEventListener("abort", late, { once: true });
  if (bounds.signal?.aborted) late();
  const deadline = setTimeout(late, bounds.deadlineMs);
  const watch = watched(sandbox, bounds.allowance, (why) => stop({ how: "excess", why }));
  const out = drain(sandbox.out, bounds, () => stop({ how: "flooded" }));
  const err = drain(sandbox.err, bounds, () => stop({ how: "flooded" }));
  const ending = await sandbox.ended;
  clearTimeout(deadline);
  bounds.signal?.removeEventListener("abort", late);
  watch.end();
  const [stdout, stderr] = await Promise.all([out.finish(), err.finish()]);
  const streams = {
    ...{ stdout: stdout.bytes, stderr: stderr.bytes, stdoutCut: stdout.cut, stderrCut: stderr.cut },
    ms: performance.now() - from,
  };
  if (cause !== undefined) return { ...cause, ...streams };
  if (ending.how !== "no-status") return { ...ending, ...streams };
  const said = new TextDecoder().decode(stderr.bytes.subarray(0, 500));
  return { how: "unavailable", fault: refuse("E_SANDBOX_START", { program: plan.program, code: ending.code, said }) };
}

function watched(sandbox: Sandbox, allowance: Allowance | undefined, onExcess: (why: Excess) => void) {
  let timer: Timer | undefined;
  const look = (allowed: Allowance) => {
    const from = performance.now();
    const pid = sandbox.childPid();
    const why = pid === undefined ? undefined : excessOf(pid, allowed);
    if (why === undefined) next(allowed, (performance.now() - from) * LOOK_SHARE);
    else onExcess(why);
  };
  const next = (allowed: Allowance, pauseMs: number) => {
    timer = setTimeout(() => look(allowed), Math.max(LOOK_MS, pauseMs));
  };
  if (allowance !== undefined) next(allowance, 0);
  return { end: () => clearTimeout(timer) };
}

/** How long the end of a stream may come after the end of the process; it comes at once unless something leaked. */
const MAX_TAIL_MS = 250;

/**
 * Reads a pipe to its end, whatever is kept of it, so that a writer never blocks on us. `finish` closes it: to be called
 * when the process has ended.
 */
export function drain(
  fd: number,
  { keepBytes, floodBytes }: Pick<Bounds, "keepBytes" | "floodBytes">,
  onFlood: () => void,
  onChunk: (chunk: Uint8Array) => void = () => {},
) {
  const reader = Bun.file(fd).stream().getReader();
  const kept: Uint8Array[] = [];
  let total = 0;
  const reading = (async () => {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const room = keepBytes - total;
      if (room > 0) kept.push(step.value.slice(0, room));
      total += step.value.byteLength;
      onChunk(step.value);
      if (total > floodBytes) onFlood();
    }
  })();
  const finish = async () => {
    const tail = setTimeout(() => void reader.cancel(), MAX_TAIL_MS);
    await reading;
    clearTimeout(tail);
    closeSync(fd);
    return { bytes: Buffer.concat(kept) as Uint8Array, cut: total > keepBytes };
  };
  return { finish };
}
