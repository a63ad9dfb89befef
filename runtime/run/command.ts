import { MAX_STDOUT_BYTES, type Outcome, readCommandAnswer, redact } from "@hookpkg/spec";
import type { Allowance } from "../sandbox/excess.ts";
import { launch, type SandboxEnd } from "../sandbox/launch.ts";
import { MAX_COMMAND_PROCESSES, PLUGIN_ROOT, type Profile, plan } from "../sandbox/profile.ts";
import type { SandboxHost } from "../sandbox/self-test.ts";
import { answered } from "./answered.ts";
import { commandEnv, commandWords, grantedEnv } from "./child-env.ts";
import { dataWatch, prepareData } from "./data-folder.ts";
import { gatewayOf } from "./gateway-of.ts";
import { sightOf } from "./grants.ts";
import { missingScript } from "./missing-script.ts";
import type { HandlerCall, RunDeps, RunnableHandler } from "./runnable.ts";
import { withWriting } from "./writing.ts";

export type Run = { runnable: RunnableHandler; call: HandlerCall; deps: RunDeps; host: SandboxHost };

const MIB = 1024 * 1024;
export const OUTPUT = { keepBytes: MAX_STDOUT_BYTES, floodBytes: 64 * MIB };
const MAX_STDERR_CHARS = 4000;

/** A command: a sandbox of its own, the event on stdin, exit code and streams read by the answer table. */
export async function runCommand(run: Run, what: { argv: readonly string[] } | { shell: string }): Promise<Outcome> {
  const { runnable, call, deps, host } = run;
  const until = performance.now() + timeLeft(run);
  const words = commandWords(what, runnable, call);
  const script = missingScript(words, runnable);
  if (script !== undefined) return { outcome: "failed", why: "E_RUN_MISSING_SCRIPT", detail: script, ms: 0 };
  const sight = sightOf(runnable, call, deps.hidden);
  const data = prepareData(call.dataFolder, runnable.capabilities.limits.dataMiB, host.mode);
  const beside = (await gatewayOf(run))?.();
  const end = await withWriting(run, until, async (write) => {
    const deadlineMs = Math.max(1, until - performance.now());
    const profile: Profile = {
      ...sight,
      ...{ kind: "command", files: runnable.files, own: [], write, data },
      env: commandEnv(runnable, call),
      cwd: sight.cwd ?? PLUGIN_ROOT,
      ...(beside === undefined ? {} : { gateway: beside.socket }),
      limits: { memoryMiB: runnable.capabilities.limits.memoryMiB, cpuSeconds: Math.ceil(deadlineMs / 1000) + 1 },
    };
    const stdin = new TextEncoder().encode(`${JSON.stringify(call.payload)}\n`);
    const bounds = { deadlineMs, ...OUTPUT, allowance: allowanceOf(run, data), signal: deps.signal };
    return await launch(plan(profile, words, host.mode, host.programs), stdin, bounds);
  }).finally(() => beside?.close());
  const denied = beside?.denied.take() ?? [];
  return { ...outcomeOf(end, run), ...(denied.length > 0 ? { denied } : {}) };
}

/** What a command or service may use with all its processes; those of hookpkg's own beside it come on top. */
export function allowanceOf({ runnable: { capabilities } }: Run, data: string): Allowance {
  const { limits, net } = capabilities;
  const [ownMiB, ownProcesses] = net.length > 0 ? FORWARDER : [0, 0];
  return {
    memoryMiB: limits.memoryMiB + ownMiB,
    processes: MAX_COMMAND_PROCESSES + LAUNCHERS + ownProcesses,
    tmpFiles: MAX_TMP_FILES,
    isDataFull: dataWatch(data, limits.dataMiB),
  };
}

const MAX_TMP_FILES = 20_000;
/** bubblewrap's first process and what it starts on its way. */
const LAUNCHERS = 4;
/** What carries the bytes to the gateway: MiB, processes. */
const FORWARDER = [128, 1] as const;

/** The handler's own timeout, or what the chain has left for it. */
export function timeLeft({ runnable, call }: Run): number {
  return Math.min(runnable.handler.timeoutMs, call.timeoutMs ?? Number.POSITIVE_INFINITY);
}

/** Fires when nobody waits any more: no time is left, or whoever watches the run ends it. */
export function deadlineOf(run: Run): AbortSignal {
  const time = AbortSignal.timeout(Math.max(1, Math.floor(timeLeft(run))));
  return run.deps.signal === undefined ? time : AbortSignal.any([time, run.deps.signal]);
}

function outcomeOf(end: SandboxEnd, run: Run): Outcome {
  const { handler } = run.runnable;
  if (end.how === "unavailable") {
    return { outcome: "failed", why: end.fault.code, detail: JSON.stringify(end.fault.facts), ms: 0 };
  }
  const aside = { ms: end.ms, ...stderrOf(end.stderr, run) };
  if (end.how === "late") return { outcome: "late", why: "E_RUN_LATE", ...aside };
  if (end.how === "excess") return { outcome: "failed", why: end.why, ...aside };
  if (end.how === "flooded") return { outcome: "failed", why: "E_RUN_FLOODED", ...aside };
  const exit = end.how === "exited" ? end.code : { signal: `${end.signal}` };
  const { stdout, stderr, stdoutCut } = end;
  const { event, answers, id } = handler;
  return answered(readCommandAnswer({ exit, stdout, stderr, event, answers, stdoutCut, handler: id }), handler, aside);
}

export function stderrOf(bytes: Uint8Array, { runnable, call }: Run): { stderr?: string } {
  if (bytes.byteLength === 0) return {};
  const whole = new TextDecoder().decode(bytes).trim();
  const text = whole.length <= MAX_STDERR_CHARS ? whole : redact(whole, Object.values(grantedEnv(runnable, call)));
  if (text.length <= MAX_STDERR_CHARS) return text === "" ? {} : { stderr: text };
  // Both ends: a traceback names the error last.
  return { stderr: `${text.slice(0, MAX_STDERR_CHARS / 2)}\n…\n${text.slice(-MAX_STDERR_CHARS / 2)}` };
}
