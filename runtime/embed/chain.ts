import { isFault } from "@hookpkg/fault";
import { type Decision, eventRow, type Payload } from "@hookpkg/spec";
import { dispatch } from "../dispatch.ts";
import { refuse } from "../faults.ts";
import { type Listed, listed } from "../gate/listing.ts";
import { standing } from "../gate/standing.ts";
import type { Home } from "../home.ts";
import { type Told, tellNotice } from "../notice/tell-notice.ts";
import { type ProcessMark, REAL_OUTSIDE } from "../outside.ts";
import { projectsAround } from "../person/projects.ts";
import { endSession, type SessionId } from "../person/sessions.ts";
import type { Engine, Request } from "../request.ts";
import { WarmParts, within } from "../warm-parts.ts";
import { watched } from "../watch.ts";
import { type ChainEvent, type ChainPayload, servedEvent } from "./event.ts";
import { type ChainOptions, type Chosen, chosen } from "./options.ts";
import { answered } from "./question.ts";

/**
 * The approved handlers of a project, in this process: events in, decisions out. Handlers run in the sandbox, as everywhere. Nothing of
 * the process is changed: no handlers of signals, no output, no umask. From the main thread only: what a thread starts dies with it.
 * E_CHAIN_OPTION, E_CHAIN_WORKER, E_HOME_….
 */
export function openChain(options: ChainOptions = {}): HookChain {
  return new HookChain(chosen(options), options.signal);
}

/** Made by `openChain`; warm workers stay with it until it is closed. */
export class HookChain implements AsyncDisposable {
  /** Session of the events that name none. */
  readonly session = `chain-${crypto.randomUUID()}`;
  readonly #at: Chosen;
  readonly #parts: WarmParts;
  readonly #engine: Engine;
  readonly #hostProcess: ProcessMark | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Sessions that events came from, and that none has ended. */
  readonly #sessions = new Set<string>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(at: Chosen, signal: AbortSignal | undefined) {
    const { home, host, worker, env, model, onTrigger } = at;
    this.#at = at;
    this.#parts = new WarmParts(home, worker);
    this.#engine = withListeners(this.#parts.engine({ env, ...given({ model, onTrigger }) }), at);
    const start = REAL_OUTSIDE.processStart(process.pid);
    this.#hostProcess = host === "native" || start === undefined ? undefined : { pid: process.pid, start };
    const close = () => void this.close();
    signal?.addEventListener("abort", close, { once: true, signal: this.#closing.signal });
    if (signal?.aborted) close();
  }

  /**
   * What the handlers of this event decide. Rejects for what only the caller can mend: E_CHAIN_EVENT, E_HOST_…, E_CHAIN_CLOSED; whatever
   * handlers do is a decision. A notice's handlers are waited for, too, and decide nothing.
   */
  async dispatch<E extends ChainEvent>(event: E, payload: ChainPayload<E>): Promise<Decision> {
    this.#refuseClosed();
    const read = servedEvent(event, payload, { session_id: this.session, cwd: this.#at.folder });
    this.#seen(read.payload);
    return this.#lasting(this.#decide({ ...this.#place(), payload: read.payload, subjects: read.subjects }));
  }

  /** Tells `custom.<name>` to whoever reacts to it, and resolves when all have ended. E_EMIT_…, E_CHAIN_CLOSED. */
  async emit(name: `custom.${string}`, data?: unknown): Promise<Told> {
    this.#refuseClosed();
    const place = { ...this.#place(), session: this.session, cwd: this.#at.folder, by: this.#at.host };
    return this.#lasting(tellNotice({ name, data }, place, this.#engine));
  }

  /** Whoever would be asked now, whatever the event, in the order of the chain. */
  async handlers(): Promise<Listed[]> {
    const { home, folder } = this.#at;
    return (await standing(home, projectsAround(home, folder), REAL_OUTSIDE)).map(listed);
  }

  /**
   * Ends it once: what is under way may end as it would for a while, then its handlers have failed; nothing of it is left when this resolves.
   * Its sessions are over for the person's state; no handler hears of that.
   */
  close(): Promise<void> {
    if (this.#closed === undefined) {
      const over = Promise.withResolvers<void>();
      this.#closed = over.promise; // first of all: whoever hears of it may ask again at once
      this.#close().then(over.resolve, over.reject);
    }
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    const allOf = () => Promise.allSettled(this.#underWay);
    await within(MAX_UNDER_WAY_MS, allOf());
    this.#parts.end();
    await allOf();
    await this.#parts.close();
    const { home, host } = this.#at;
    for (const session of this.#sessions) await endedQuietly(home, { host, session });
  }

  #seen({ session_id, hook_event_name }: Payload): void {
    this.#sessions.delete(session_id);
    if (hook_event_name === "SessionEnd") return;
    const [oldest] = this.#sessions;
    if (oldest !== undefined && this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(oldest);
    this.#sessions.add(session_id);
  }

  async #decide(request: Omit<Request, "canAsk">): Promise<Decision> {
    const { ask, askTimeoutMs } = this.#at;
    const isNotice = eventRow(request.payload.hook_event_name).kind === "notice";
    const waits = isNotice ? ({ waits: true } as const) : {};
    if (ask === undefined) return dispatch({ ...request, ...waits, canAsk: false }, this.#engine);
    const asking = { ask, timeoutMs: askTimeoutMs, closing: this.#closing.signal };
    const settle: Request["settle"] = (decision, payload) => answered(decision, payload, asking);
    return dispatch({ ...request, ...waits, canAsk: true, settle }, this.#engine);
  }

  #place(): Omit<Request, "payload" | "canAsk"> {
    const { host, folder } = this.#at;
    return { host, flag: folder, ...this.#parts.afterwards, ...given({ hostProcess: this.#hostProcess }) };
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw refuse("E_CHAIN_CLOSED", {});
  }

  #lasting<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }
}

/** What is under way when a chain is closed may take so long. */
const MAX_UNDER_WAY_MS = 3000;
/** Those that are left out end by themselves, half an hour after their last event. */
const MAX_SESSIONS = 1000;

/** A state that can't be written is no reason to keep a program from ending. */
async function endedQuietly(home: Home, session: SessionId): Promise<void> {
  try {
    await endSession(home, session);
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

function withListeners(engine: Engine, { onJournal, onRun }: Chosen): Engine {
  const heard = onJournal === undefined ? engine : { ...engine, onJournal };
  if (onRun === undefined) return heard;
  return watched(heard, {
    started: (run) => onRun({ ...run, phase: "started" }),
    completed: (run, end) => onRun({ ...run, ...end, phase: "completed" }),
  });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined: absent is how options are left out here. */
function given<T extends object>(values: T): Present<T> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<T>; // the same keys, fewer of them
}
