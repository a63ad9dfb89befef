import { type CallFrame, MAX_FRAME_BYTES, READY_MS } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Excess } from "../sandbox/excess.ts";
import { drain } from "../sandbox/launch.ts";
import { heldMiB } from "../sandbox/memory.ts";
import type { Plan } from "../sandbox/plan.ts";
import { type Sandbox, start } from "../sandbox/start.ts";
import { OUTPUT } from "./command.ts";
import { Conversation, type Verdict } from "./conversation.ts";
import type { Desk } from "./desk.ts";
import { Feed } from "./feed.ts";
import type { Beside } from "./gateway-of.ts";
import { Remarks } from "./remarks.ts";
import { FrameReader } from "./worker-frames.ts";

/** A call without what is known only when it is sent. */
export type CallBody = Omit<CallFrame, "id" | "deadlineMs">;
export type Reply = { verdict: Verdict; stderr: Uint8Array; denied: readonly string[] };
/** How it is started, and what lives beside it as long as it does. */
export type WorkerPlan = { plan: Plan; beside?: Beside | undefined };
/** `memoryMiB`: a module's share of memory above this ends it. `excess`: what a service, with all that it starts, uses too much of. */
export type WorkerLimits = { memoryMiB?: number; excess?: (pid: number) => Excess | undefined };

/**
 * One sandboxed process that speaks frames: a module's worker or a service. It serves one call at a time; whatever it does that is not
 * the wire, and being late, ends it. What it keeps between two calls is its own package's business: it never serves another one.
 */
export class Worker {
  /** Settled when nothing of it is left. */
  readonly gone: Promise<void>;
  /** Settled when it is ready, or gone before. */
  readonly started: Promise<unknown>;
  calls = 0;
  /** Answers since the start; one that never answered did not work. */
  answers = 0;
  #isOver = false;
  readonly #sandbox: Sandbox;
  readonly #talk: Conversation;
  readonly #remarks: Remarks;
  readonly #limits: WorkerLimits;
  readonly #beside: Beside | undefined;
  #clock: Timer | undefined;

  /** Throws E_SANDBOX_START when it cannot even be started. */
  constructor({ plan, beside }: WorkerPlan, limits: WorkerLimits) {
    const { input = -1, ...sandbox } = begin(plan, beside); // a pipe was asked for
    this.#beside = beside;
    this.#sandbox = sandbox;
    this.#limits = limits;
    const feed = new Feed(input);
    const began = Promise.withResolvers<void>();
    const ready = setTimeout(() => this.#end({ said: "late", isReady: false }), READY_MS);
    this.#talk = new Conversation(
      (bytes) => feed.send(bytes),
      () => {
        clearTimeout(ready);
        began.resolve();
      },
    );
    const watch = setInterval(() => this.#look(), IDLE_LOOK_MS);
    this.#remarks = new Remarks(sandbox.err, OUTPUT, () => this.#fail("E_RUN_FLOODED"));
    const out = this.#hear();
    this.gone = sandbox.ended.then(async (ending) => {
      clearTimeout(ready);
      clearInterval(watch);
      await out.finish(); // an answer that is still in the pipe counts
      await this.#remarks.finish(); // so do the words that say why it went
      if (ending.how === "no-status") this.#fail("E_SANDBOX_START", `exit ${ending.code}`);
      else this.#fail("E_RUN_EXITED", JSON.stringify(ending));
      beside?.close();
      await feed.close();
    });
    this.started = Promise.race([began.promise, this.gone]);
  }

  get isAlive(): boolean {
    return !this.#isOver;
  }

  /** Nobody waits for it: it can be asked, at the latest when it is ready. */
  get isFree(): boolean {
    return this.isAlive && !this.#talk.isBusy;
  }

  get isReady(): boolean {
    return this.#talk.isReady;
  }

  /** One call. `until` is a moment of performance.now(). */
  async ask(body: string, until: number, desk: Desk): Promise<Reply> {
    this.calls++;
    const deadlineMs = Math.max(1, until - performance.now());
    this.#guard(performance.now() + deadlineMs);
    const asked = this.#talk.ask(`{"deadlineMs":${Math.ceil(deadlineMs)},${body.slice(1)}`, (rpc, args) =>
      desk.serve(rpc, args),
    );
    if (!this.isAlive) this.#talk.end({ said: "failed", why: "E_RUN_EXITED" });
    const { verdict, log } = await asked;
    desk.close();
    clearTimeout(this.#clock);
    if (verdict.said === "answer") this.answers++;
    if (!this.isAlive) await this.gone; // its last words came before that
    const denied = [...desk.denied.take(), ...(this.#beside?.denied.take() ?? [])];
    const remarks = this.#remarks.take();
    return { verdict, denied, stderr: log === "" ? remarks : Buffer.concat([Buffer.from(log), remarks]) };
  }

  /** What it holds now, in MiB; 0 when nobody can tell. */
  heldMiB(): number {
    const pid = this.#limits.memoryMiB === undefined ? undefined : this.#sandbox.childPid();
    return pid === undefined ? 0 : heldMiB(pid);
  }

  async stop(): Promise<void> {
    this.#end({ said: "failed", why: "E_RUN_EXITED", detail: "it was stopped" });
    await this.gone;
  }

  #fail(why: string, detail?: string): void {
    this.#end({ said: "failed", why, ...(detail === undefined ? {} : { detail }) });
  }

  #end(verdict: Verdict): void {
    this.#isOver = true;
    clearTimeout(this.#clock);
    this.#talk.end(verdict);
    this.#sandbox.kill();
  }

  /** One timer a call: it ends a late one, and looks at the memory of one that takes its time. */
  #guard(until: number): void {
    const leftMs = until - performance.now();
    this.#clock = setTimeout(
      () => {
        if (performance.now() >= until) this.#end({ said: "late", isReady: this.isReady });
        else if (!this.#look()) this.#guard(until);
      },
      Math.max(0, Math.min(leftMs, BUSY_LOOK_MS)),
    );
  }

  /** Ends it when it uses too much, and says so. */
  #look(): boolean {
    const why = this.#excess();
    if (why !== undefined) this.#fail(why);
    return why !== undefined;
  }

  #excess(): Excess | undefined {
    const { excess, memoryMiB = Number.POSITIVE_INFINITY } = this.#limits;
    const pid = excess && this.#sandbox.childPid();
    if (excess && pid !== undefined) return excess(pid);
    return this.heldMiB() > memoryMiB ? "E_RUN_MEMORY" : undefined;
  }

  /** Ends when the wire does, or some time after the worker's end if something still holds the other side. */
  #hear(): { finish(): Promise<unknown> } {
    const frames = new FrameReader();
    const take = (chunk: Uint8Array) => {
      try {
        for (const frame of frames.read(chunk)) this.#talk.take(frame);
      } catch (error) {
        this.#fail("E_RUN_FRAME", String(error).slice(0, 200));
      }
    };
    return drain(this.#sandbox.out, { keepBytes: 0, floodBytes: Number.POSITIVE_INFINITY }, () => {}, take);
  }
}

const BUSY_LOOK_MS = 50;
/** Between calls nothing should grow; somebody looks all the same. */
const IDLE_LOOK_MS = 2000;
const ROOM_FOR_ID_BYTES = 100;

/** A call as text, once. E_RUN_PAYLOAD when no line of the wire can hold it. */
export function bodyText(body: CallBody): string {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text) + ROOM_FOR_ID_BYTES;
  if (bytes > MAX_FRAME_BYTES) throw refuse("E_RUN_PAYLOAD", { bytes });
  return text;
}

function begin(plan: Plan, beside: Beside | undefined): Sandbox {
  try {
    return start(plan, "pipe");
  } catch (cause) {
    beside?.close();
    throw refuse("E_SANDBOX_START", { program: plan.program }, cause);
  }
}
