import { type CallFrame, MAX_FRAME_BYTES, type Outcome, READY_MS, readModuleAnswer } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { drain } from "../sandbox/launch.ts";
import { watchMemory } from "../sandbox/memory.ts";
import { OWN_ROOT, PLUGIN_ROOT, type Profile, plan, WORKER_BINARY } from "../sandbox/profile.ts";
import { type Sandbox, start } from "../sandbox/start.ts";
import { answered } from "./answered.ts";
import bootstrap from "./bootstrap.generated.js" with { type: "text" };
import { grantedEnv } from "./child-env.ts";
import { OUTPUT, type Run, stderrOf, timeLeft } from "./command.ts";
import { CALL_ID, Conversation } from "./conversation.ts";
import { Feed } from "./feed.ts";
import { sightOf } from "./grants.ts";
import { FrameReader } from "./worker-frames.ts";
import { withWriting } from "./writing.ts";

/** A module: a fresh sandboxed worker, one call, killed when it has answered or should have. */
export async function runModule(run: Run, module: { path: string }): Promise<Outcome> {
  const from = performance.now();
  const until = from + timeLeft(run);
  const request = new TextEncoder().encode(`${JSON.stringify(callFrame(run, timeLeft(run)))}\n`);
  if (request.byteLength > MAX_FRAME_BYTES) throw refuse("E_RUN_PAYLOAD", { bytes: request.byteLength });
  const { verdict, stderr, notes } = await withWriting(run, until, async (write) => {
    const deadlineMs = Math.max(1, until - performance.now());
    const command = [WORKER_BINARY, ...BUN_OPTIONS, `${OWN_ROOT}/bootstrap.js`, `${PLUGIN_ROOT}/${module.path}`];
    const made = plan(profileOf(run, write), command, run.host.mode, run.host.programs);
    return await converse(begin(made), request, { deadlineMs, memoryMiB: run.runnable.capabilities.limits.memoryMiB });
  });
  const aside = { ms: performance.now() - from, ...stderrOf(stderr), ...(notes.length > 0 ? { notes } : {}) };
  if (verdict.said === "late") return { outcome: "late", why: "E_RUN_LATE", ...detailOf(verdict), ...aside };
  if (verdict.said === "failed") return { outcome: "failed", why: verdict.why, ...detailOf(verdict), ...aside };
  return answered(readModuleAnswer(verdict.answer, run.runnable.handler.event), run.runnable.handler, aside);
}

/** hookpkg is a compiled Bun program, which is Bun itself when BUN_BE_BUN is set; inside only we can set it. */
const BUN_OPTIONS = ["--smol", "--no-env-file", "--config=/dev/null", "--no-install"];
const WORKER_ENV = {
  ...{ BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0", DO_NOT_TRACK: "1" },
  ...{ PATH: "/nonexistent", HOME: "/tmp", TMPDIR: "/tmp", LANG: "C.UTF-8" },
};

function profileOf({ runnable, call, deps }: Run, write: Profile["write"]): Profile {
  const sight = sightOf(runnable, call, deps.hidden);
  const own = [{ path: "bootstrap.js", executable: false, bytes: new TextEncoder().encode(bootstrap) }];
  return {
    ...sight,
    ...{ kind: "worker", files: runnable.files, own, write, env: WORKER_ENV, cwd: sight.cwd ?? PLUGIN_ROOT },
    limits: { memoryMiB: runnable.capabilities.limits.memoryMiB, cpuSeconds: 0 },
  };
}

function callFrame({ runnable, call }: Run, deadlineMs: number): CallFrame {
  const { payload, options, host, project = "", recheck } = call;
  const { event } = runnable.handler;
  return {
    ...{ id: CALL_ID, call: "handle", event, host, project, payload, options, deadlineMs, recheck },
    env: grantedEnv(runnable, call),
  };
}

function begin(made: ReturnType<typeof plan>): Sandbox & { input: number } {
  try {
    const { input = -1, ...sandbox } = start(made, "pipe"); // a pipe was asked for
    return { ...sandbox, input };
  } catch (cause) {
    throw refuse("E_SANDBOX_START", { program: made.program }, cause);
  }
}

async function converse(
  sandbox: Sandbox & { input: number },
  request: Uint8Array,
  { deadlineMs, memoryMiB }: { deadlineMs: number; memoryMiB: number },
) {
  const feed = new Feed(sandbox.input);
  const talk = new Conversation((bytes) => feed.send(bytes), request);
  const failed = (why: string, detail?: string) => talk.end({ said: "failed", why, ...detailOf({ detail }) });
  const err = drain(sandbox.err, OUTPUT, () => failed("E_RUN_FLOODED"));
  const out = hear(sandbox.out, talk);
  const ready = setTimeout(() => talk.isReady || talk.end({ said: "late", detail: "not ready" }), READY_MS);
  const deadline = setTimeout(() => talk.end({ said: "late" }), deadlineMs);
  const watch = watchMemory(sandbox.childPid, memoryMiB, () => failed("E_RUN_MEMORY"));
  const gone = sandbox.ended.then(async (ending) => {
    await out.finish(); // an answer that is still in the pipe counts
    if (ending.how === "no-status") failed("E_SANDBOX_START", `exit ${ending.code}`);
    else failed("E_RUN_EXITED", JSON.stringify(ending));
  });
  const verdict = await talk.over;
  clearTimeout(ready);
  clearTimeout(deadline);
  watch.stop();
  sandbox.kill();
  await gone;
  await feed.close();
  const { bytes } = await err.finish();
  return { verdict, notes: talk.notes, stderr: Buffer.concat([Buffer.from(talk.log), bytes]) };
}

/** Ends when the wire does, or some time after the worker's end if something still holds the other side. */
function hear(fd: number, talk: Conversation): { finish(): Promise<unknown> } {
  const frames = new FrameReader();
  return drain(
    fd,
    { keepBytes: 0, floodBytes: Number.POSITIVE_INFINITY },
    () => {},
    (chunk) => {
      try {
        for (const frame of frames.read(chunk)) talk.take(frame);
      } catch (error) {
        talk.end({ said: "failed", why: "E_RUN_FRAME", detail: String(error).slice(0, 200) });
      }
    },
  );
}

function detailOf(from: { detail?: string | undefined }): { detail?: string } {
  return from.detail === undefined ? {} : { detail: from.detail };
}
