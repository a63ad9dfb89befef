import { refuse } from "../faults.ts";
import type { Desk } from "./desk.ts";
import type { Role } from "./role.ts";
import { type Reply, Worker } from "./worker.ts";

/** At most so many workers of one program of one package in one project. */
export const MAX_WORKERS_A_PACKAGE = 4;
/** Of all packages together: the idle one that was not used for the longest time makes room. */
const MAX_WORKERS = 64;
/** What is only made ready leaves room for what is used. */
const MAX_WARMED = 32;
/** Calls that may wait for a worker of one program. */
export const MAX_WAITING = 64;
/** A worker is replaced after so many calls. */
const MAX_CALLS = 10_000;
/** How often its memory is looked at, in calls; above half of what it may hold it is replaced. */
const CALLS_A_LOOK = 1000;
const IDLE_MS = 5 * 60 * 1000;
const SWEEP_MS = 30_000;
/** Ends without an answer, one after the other, until the program is left alone for a while. */
export const MAX_CRASHES = 5;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

type Kept = { role: Role; worker: Worker; usedAt: number };
type Waiting = { role: Role; seat(kept: Kept | Error): void };
type Trouble = { crashes: number; pauseUntil: number };

/** A moment in milliseconds; tests bring their own. */
export type WorkersOptions = { now?: () => number; maxCalls?: number };

/**
 * Warm workers. A call gets a free worker of its role, else a new one, else it waits for one, which counts as its own time. A worker that
 * broke is gone before anything else is asked of its role; a role whose workers break again and again pauses (E_RUN_CRASHES).
 */
export class Workers {
  readonly #kept = new Set<Kept>();
  readonly #waiting = new Set<Waiting>();
  readonly #troubles = new Map<string, Trouble>();
  readonly #now: () => number;
  readonly #maxCalls: number;
  readonly #sweep: Timer;
  #isClosed = false;

  constructor({ now = () => performance.now(), maxCalls = MAX_CALLS }: WorkersOptions = {}) {
    this.#now = now;
    this.#maxCalls = maxCalls;
    this.#sweep = setInterval(() => this.#stopIdle(), SWEEP_MS);
    this.#sweep.unref();
  }

  get size(): number {
    return this.#kept.size;
  }

  /** `until` is a moment of performance.now(). Throws E_RUN_QUEUE, E_RUN_CRASHES, E_SANDBOX_START. */
  async ask(role: Role, body: string, until: number, desk: Desk): Promise<Reply> {
    const kept = await this.#seat(role, until);
    if (kept === undefined)
      return { verdict: { said: "late", detail: "no worker was free" }, stderr: new Uint8Array(), denied: [] };
    const reply = await kept.worker.ask(body, until, desk);
    this.#after(kept, reply);
    return reply;
  }

  /**
   * A worker for this role before anything asks for one; settled when it is ready or gone. Nothing that is there makes room for it, and a
   * program that broke lately is left alone.
   */
  async warm(role: Role): Promise<void> {
    if (this.#isClosed || this.#kept.size >= MAX_WARMED || this.#troubles.has(role.key)) return;
    if ([...this.#kept].some((kept) => kept.role.group === role.group)) return;
    await this.#start(role).worker.started;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const waiting of this.#waiting) waiting.seat(refuse("E_RUN_EXITED", {}));
    await Promise.all([...this.#kept].map(({ worker }) => worker.stop()));
  }

  async #seat(role: Role, until: number): Promise<Kept | undefined> {
    const others = [...this.#waiting].filter((waiting) => waiting.role.group === role.group).length;
    const kept = others === 0 ? this.#take(role) : undefined;
    if (kept !== undefined) return kept;
    if (others >= MAX_WAITING) throw refuse("E_RUN_QUEUE", { waiting: others });
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        role,
        seat: (given) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          if (given instanceof Error) reject(given);
          else resolve(given);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, until - performance.now());
      this.#waiting.add(waiting);
    });
  }

  /** A worker for this role, taken: undefined when there is none and no room for one. */
  #take(role: Role): Kept | undefined {
    if (this.#isClosed) throw refuse("E_RUN_EXITED", {});
    const group = [...this.#kept].filter((kept) => kept.role.group === role.group);
    const free = group.filter((kept) => kept.role.key === role.key && this.#isFree(kept));
    const ready = free.find(({ worker }) => worker.isReady) ?? free[0];
    if (ready !== undefined) return this.#give(ready);
    // What was started with other bytes, options or another sight of the disk is not wanted any more.
    for (const stale of group) if (stale.role.key !== role.key && this.#isFree(stale)) this.#drop(stale);
    if (group.filter(({ worker }) => worker.isAlive).length >= MAX_WORKERS_A_PACKAGE) return undefined;
    if (this.#kept.size >= MAX_WORKERS && !this.#makeRoom()) return undefined;
    return this.#give(this.#start(role));
  }

  /** Between being given and being asked it looks free. */
  readonly #taken = new Set<Worker>();

  #isFree({ worker }: Kept): boolean {
    return worker.isFree && !this.#taken.has(worker);
  }

  #give(kept: Kept): Kept {
    this.#taken.add(kept.worker);
    kept.usedAt = this.#now();
    return kept;
  }

  #start(role: Role): Kept {
    const trouble = this.#troubles.get(role.key);
    if (trouble !== undefined && trouble.pauseUntil > this.#now())
      throw refuse("E_RUN_CRASHES", { crashes: trouble.crashes });
    let worker: Worker;
    try {
      worker = new Worker(role.plan(), role.limits);
    } catch (error) {
      this.#crashed(role);
      throw error;
    }
    const kept = { role, worker, usedAt: this.#now() };
    this.#kept.add(kept);
    void worker.gone.then(() => {
      this.#kept.delete(kept);
      this.#next();
    });
    return kept;
  }

  #after(kept: Kept, { verdict }: Reply): void {
    const { role, worker } = kept;
    this.#taken.delete(worker);
    kept.usedAt = this.#now();
    if (worker.isAlive) this.#troubles.delete(role.key);
    else if (verdict.said === "failed") this.#crashed(role);
    if (role.once || this.#isWornOut(kept)) this.#drop(kept);
    // Out of the caller's way: the next call finds a worker that has started.
    if (!worker.isAlive) setTimeout(() => this.#replace(role));
    this.#next();
  }

  #isWornOut({ worker, role }: Kept): boolean {
    if (worker.calls >= this.#maxCalls) return true;
    const { memoryMiB } = role.limits;
    return memoryMiB !== undefined && worker.calls % CALLS_A_LOOK === 0 && worker.heldMiB() > memoryMiB / 2;
  }

  #replace(role: Role): void {
    if (this.#isClosed || (this.#troubles.get(role.key)?.crashes ?? 0) > 1) return;
    const group = [...this.#kept].filter((kept) => kept.role.group === role.group && kept.worker.isAlive);
    if (group.length > 0 || this.#kept.size >= MAX_WORKERS) return;
    try {
      this.#start(role);
    } catch {
      // The call that needs it is told.
    }
  }

  #crashed(role: Role): void {
    const crashes = (this.#troubles.get(role.key)?.crashes ?? 0) + 1;
    const pauses = crashes - MAX_CRASHES;
    const pauseMs = pauses < 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
    if (this.#troubles.size > MAX_TROUBLES) this.#troubles.clear();
    this.#troubles.set(role.key, { crashes, pauseUntil: this.#now() + pauseMs });
  }

  #drop(kept: Kept): void {
    void kept.worker.stop();
  }

  #makeRoom(): boolean {
    const free = [...this.#kept].filter((kept) => this.#isFree(kept));
    const [oldest] = free.sort((a, b) => a.usedAt - b.usedAt);
    if (oldest !== undefined) this.#drop(oldest);
    return oldest !== undefined;
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      try {
        const kept = this.#take(waiting.role);
        if (kept !== undefined) waiting.seat(kept);
      } catch (error) {
        waiting.seat(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #stopIdle(): void {
    for (const kept of this.#kept) if (this.#isFree(kept) && this.#now() - kept.usedAt > IDLE_MS) this.#drop(kept);
  }
}

const MAX_TROUBLES = 1000;
