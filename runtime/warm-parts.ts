import { endingAt } from "./ending.ts";
import { type EngineOptions, keepSandbox, openEngine } from "./engine.ts";
import type { Home } from "./home.ts";
import { Prewarm } from "./prewarm.ts";
import type { Engine, Request } from "./request.ts";
import { Workers } from "./run/workers.ts";
import type { Availability } from "./sandbox/self-test.ts";
import { Seats } from "./seats.ts";

/** What one event brings to an engine that stays. */
export type World = Omit<EngineOptions, "home" | "worker" | "sandbox" | "workers" | "prewarm" | "signal">;

/** What is done after decisions may take so long when all ends. */
const MAX_LEFT_MS = 3000;
/** Processes that were killed are gone sooner; a request to somebody else's server may not be. */
const MAX_ENDING_MS = 3000;

/**
 * What a process keeps between events, as a daemon, a bridge and an embedder do: workers, a sandbox that is watched, and the work that was
 * left for after the decisions. Whoever makes it closes it.
 */
export class WarmParts {
  readonly #home: Home;
  readonly #worker: string;
  readonly #sandbox: () => Promise<Availability>;
  readonly #workers = new Workers();
  readonly #prewarm = new Prewarm();
  readonly #seats = new Seats();
  readonly #left = new Set<Promise<void>>();
  readonly #runs = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();

  /** `worker`: the binary that workers run. */
  constructor(home: Home, worker: string) {
    this.#home = home;
    this.#worker = worker;
    this.#sandbox = keepSandbox(home, worker);
  }

  engine(world: World): Engine {
    const kept = { workers: this.#workers, prewarm: this.#prewarm, sandbox: this.#sandbox };
    const { signal } = this.#ending;
    const engine = openEngine({ ...world, home: this.#home, worker: this.#worker, ...kept, signal });
    return this.#seats.seated(endingAt(engine, signal, this.#runs));
  }

  /** What a request gets whose answer must not wait for what nobody waits for. */
  readonly afterwards = {
    after: (work: () => Promise<void>) => {
      const done: Promise<void> = work()
        .catch(() => {}) // it was nobody's answer, and one session's fault must not end what serves the others
        .finally(() => this.#left.delete(done));
      this.#left.add(done);
    },
    stays: true,
  } as const satisfies Pick<Request, "after" | "stays">;

  /** How many workers there are. */
  get workers(): number {
    return this.#workers.size;
  }

  /** Whatever runs has failed, and nothing runs any more. */
  end(): void {
    this.#ending.abort();
  }

  /** Lets what was left end, but not for ever; then no worker and no command is left. */
  async close(): Promise<void> {
    await within(MAX_LEFT_MS, Promise.all(this.#left));
    this.end();
    await this.#workers.close();
    await within(MAX_ENDING_MS, Promise.allSettled([...this.#runs, ...this.#left]));
  }
}

/** Resolves when the work is done, or at the end of that time. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]).finally(() => clearTimeout(timer));
}
