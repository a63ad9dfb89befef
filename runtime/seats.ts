import type { Outcome } from "@hookpkg/spec";
import type { RunCall, RunHandler } from "./chain/chain.ts";
import type { Runnable } from "./gate/runnable.ts";
import type { Engine } from "./request.ts";

/** Runs of one handler at once, for those that have no workers, and runs that wait for their turn. */
export const MAX_AT_ONCE = 16;
export const MAX_WAITING = 64;

type Queue = { running: number; waiting: Set<() => void> };

/**
 * Where a process serves many events, what nobody waits for would add up: commands, posts and questions to a model are seated, each
 * handler's apart, so that one that hangs takes nobody else's place. Modules and services have workers, which are counted.
 */
export class Seats {
  readonly #queues = new Map<string, Queue>();

  /** The same engine, whose runs wait for a seat in their own time. E_RUN_QUEUE is the outcome where too many wait. */
  seated(engine: Engine): Engine {
    return {
      ...engine,
      run: (request, project) => {
        const run = engine.run(request, project);
        return (handler, call) => (hasWorkers(handler) ? run(handler, call) : this.#inTurn(handler, call, run));
      },
    };
  }

  async #inTurn(handler: Runnable, call: RunCall, run: RunHandler): Promise<Outcome> {
    const key = JSON.stringify([handler.project, handler.name]);
    const queue = this.#queues.get(key) ?? { running: 0, waiting: new Set() };
    this.#queues.set(key, queue);
    const from = performance.now();
    const timeoutMs = Math.min(call.timeoutMs, handler.normalForm.timeoutMs);
    if (queue.running >= MAX_AT_ONCE) {
      if (queue.waiting.size >= MAX_WAITING) return { outcome: "failed", why: "E_RUN_QUEUE", ms: 0 };
      if (!(await seatIn(queue, timeoutMs)))
        return {
          outcome: "late",
          why: "E_RUN_LATE",
          detail: "its other runs have not ended",
          ms: performance.now() - from,
        };
    } else queue.running++;
    try {
      return await run(handler, { ...call, timeoutMs: Math.max(1, timeoutMs - (performance.now() - from)) });
    } finally {
      leave(queue);
      if (queue.running === 0) this.#queues.delete(key);
    }
  }
}

function hasWorkers({ normalForm: { run } }: Runnable): boolean {
  return run.type === "module" || run.type === "service";
}

/** Whether a seat became free in time. Whoever gets up hands it on: it is never counted free in between. */
function seatIn(queue: Queue, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isSeated: boolean) => {
      clearTimeout(timer);
      queue.waiting.delete(sit);
      resolve(isSeated);
    };
    const sit = () => end(true);
    const timer = setTimeout(() => end(false), ms);
    queue.waiting.add(sit);
  });
}

function leave(queue: Queue): void {
  const [next] = queue.waiting;
  if (next === undefined) queue.running--;
  else next();
}
