import { gate } from "./gate/gate.ts";
import type { Approved, Runnable } from "./gate/runnable.ts";
import type { Home } from "./home.ts";
import type { Request } from "./request.ts";

/** Approved handlers that one session makes ready; the others are when they are first asked. */
const MAX_HANDLERS = 200;
/** Sessions that may wait for their turn. */
const MAX_QUEUED = 16;
const MAX_SEEN = 1000;
/** Between two steps: an event that came meanwhile goes first. */
const PAUSE_MS = 5;

export type Sleepers = { home: Home; handlers: readonly Approved[]; warm: (runnable: Runnable) => Promise<void> };

/**
 * Makes a session's approved handlers ready before a tool is called: their packages' bytes are read and hashed, workers are started. It
 * begins when the answer to the event is out, at a session's start and at the first event that this process sees of it, and does one
 * thing after the other, whatever number of sessions begin. Nothing of it decides anything: each event asks the gate anew.
 */
export class Prewarm {
  readonly #seen = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  #queued = 0;

  begin({ payload, host }: Request, projects: readonly string[], sleepers: Sleepers): void {
    const session = JSON.stringify([host, payload.session_id, projects]).slice(0, MAX_KEY_CHARS);
    if (this.#seen.has(session) && payload.hook_event_name !== "SessionStart") return;
    if (this.#queued >= MAX_QUEUED || payload.hook_event_name === "SessionEnd") return;
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    this.#seen.add(session);
    this.#queued++;
    this.#last = this.#last.then(() => wake(sleepers)).finally(() => this.#queued--);
  }

  /** Settled when all that was begun is done. */
  async done(): Promise<void> {
    await this.#last;
  }
}

const MAX_KEY_CHARS = 10_000;

async function wake({ home, handlers, warm }: Sleepers): Promise<void> {
  for (const handler of handlers.slice(0, MAX_HANDLERS)) {
    await Bun.sleep(PAUSE_MS);
    try {
      const [gated] = await gate(home, [handler]);
      if (gated?.kind === "runnable") await warm(gated);
    } catch {
      // The event that needs it is told.
    }
  }
}
