import type { HostAdapter, HostReply } from "@hookpkg/hosts";
import {
  type Engine,
  type Gated,
  type Home,
  homeFolders,
  keepSandbox,
  openEngine,
  type ProcessMark,
  projectsAround,
  REAL_OUTSIDE,
  standing,
  Workers,
} from "@hookpkg/runtime";
import type { HandlerName, Outcome } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { judgeEvent } from "../host/judge.ts";
import { replyWithoutEngine } from "../host/without-engine.ts";

/** Hears of every run of a handler. */
export type Watch = {
  started(handler: HandlerName, recheck: boolean): void;
  completed(handler: HandlerName, outcome: Outcome): void;
};

/** What a bridge judges with, as long as it stays: one engine, warm workers, one project. */
export class Seat {
  readonly #home: Home;
  readonly #engine: Engine;
  readonly #workers = new Workers();
  readonly #left = new Set<Promise<void>>();
  readonly #call: Call;

  constructor(call: Call) {
    const worker = process.execPath;
    this.#call = call;
    this.#home = homeFolders(call.home);
    const sandbox = keepSandbox(this.#home, worker);
    this.#engine = openEngine({ home: this.#home, env: call.env, worker, workers: this.#workers, sandbox });
  }

  /** `--project`, else the folder where the bridge was started. */
  get folder(): string {
    return this.#call.project ?? this.#call.cwd;
  }

  /** The reply to one event in the adapter's words. What cannot be read is thrown. */
  judge(adapter: HostAdapter, event: object, asked: { watch?: Watch; hostProcess?: ProcessMark }): Promise<HostReply> {
    const { project } = this.#call;
    const from = { env: {}, pid: process.pid, spentMs: 0, ...(project === undefined ? {} : { project }) };
    const mark = asked.hostProcess === undefined ? {} : { hostProcess: asked.hostProcess };
    const engine = asked.watch === undefined ? this.#engine : watched(this.#engine, asked.watch);
    const afterwards = { after: (work: () => Promise<void>) => this.#keep(work), stays: true };
    return judgeEvent(adapter, bytesOf(event), { from: { ...from, ...mark }, afterwards }, engine);
  }

  /** The reply where the event could not be judged: a refusal where a closed handler is on record for it. */
  without(adapter: HostAdapter, event: object, error: unknown): HostReply {
    const { home } = this.#call;
    const stuck = { adapter, input: bytesOf(event), folder: this.folder, ...(home === undefined ? {} : { home }) };
    return replyWithoutEngine(stuck, error);
  }

  /** Whoever would be asked in this project now. */
  handlers(): Promise<Gated[]> {
    return standing(this.#home, projectsAround(this.#home, this.folder), REAL_OUTSIDE);
  }

  async close(): Promise<void> {
    await within(MAX_LEFT_MS, Promise.all(this.#left));
    await this.#workers.close();
  }

  #keep(work: () => Promise<void>): void {
    const done = work()
      .catch(() => {}) // it was nobody's answer
      .finally(() => this.#left.delete(done));
    this.#left.add(done);
  }
}

/** What runs after decisions may end before the bridge goes. */
const MAX_LEFT_MS = 3000;

/** Resolves when the work is done, or at the end of that time. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, ms);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
}

function bytesOf(event: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(event));
}

function watched(engine: Engine, watch: Watch): Engine {
  return {
    ...engine,
    run: (request, project) => {
      const run = engine.run(request, project);
      return async (handler, call) => {
        watch.started(handler.name, call.recheck);
        const outcome = await run(handler, call);
        watch.completed(handler.name, outcome);
        return outcome;
      };
    },
  };
}
