import type { Decision, EventName, HandlerReport, Payload } from "@hookpkg/spec";
import { type ChainEntry, type RunHandler, runChain } from "./chain/chain.ts";
import { decide, type Long } from "./decision/decide.ts";
import { withoutSecrets } from "./decision/without-secrets.ts";
import type { Runnable } from "./gate/runnable.ts";
import type { Apart } from "./gate/stations.ts";
import type { Found } from "./gate/which-project.ts";
import { journalEvent } from "./journal/journal-event.ts";
import { owe } from "./person/owed.ts";
import { isSpent, onceKey, spend } from "./person/spent.ts";
import type { Engine, Request } from "./request.ts";

export type Later = {
  found: Found;
  subjects: readonly string[];
  /** Entries of the decided chain. */
  entries: readonly ChainEntry[];
  /** As it happens, with all patches. */
  payload: Payload;
  decision: Pick<Decision, "decision" | "patch" | "forced">;
  /** Texts that the agent did not get whole. */
  long?: readonly Long[];
};

/** In one process with the host's event, which waits for the process to end. */
const HERE_MS = 5000;
/** The host is about to go. */
const ENDINGS: readonly EventName[] = ["SessionEnd", "Interrupt"];
const ENDING_MS = { each: 1000, here: 800, there: 3000 };

/** What handlers get that nobody waits for: `eachMs` at most each, and all of them until a moment of `performance.now()`. */
export type Patience = { eachMs?: number; until?: number };

/**
 * Runs handlers whose answer nobody waits for, one after the other, after the decision is out. What they say is ignored; what became of
 * them is journaled, told at the session's next event, and never holds anything.
 */
export async function runAfterwards(
  request: Request,
  engine: Engine,
  later: Later,
  { patience, apart = [], spent = new Set() }: { patience: Patience; apart?: readonly Apart[]; spent?: Spent },
): Promise<readonly HandlerReport[]> {
  const { home, secrets } = engine;
  const { host, payload: asked } = request;
  const id = { host, session: asked.session_id };
  const { eachMs, until } = patience;
  const run = atMost(eachMs, engine.run(request, later.found.projects.at(-1)));
  const gated = later.entries.map((entry) => entry.gated);
  const aside = (handler: Runnable) => (isSpent(handler, spent) ? "spent" : undefined);
  const ceiling = until === undefined ? {} : { ceilingMs: until - performance.now() };
  const ran = await runChain(gated, later.payload, { run, aside, ...ceiling });
  const entries = withoutSecrets(ran.entries, secrets);
  await journalEvent(request, engine, { ...later, entries }, apart);
  await spend(home, id, answeredOnce(entries));
  const decided = decide({ entries, payload: later.payload }, { payload: asked, canAsk: false, secrets });
  await owe(home, id, decided.conditions);
  return decided.decision.handlers;
}

type Spent = ReadonlySet<string>;

/** Those that were to run once and have answered. */
export function answeredOnce(entries: readonly ChainEntry[]): string[] {
  return entries.flatMap(({ gated, outcome }) =>
    gated.kind === "runnable" && gated.normalForm.once && outcome?.outcome === "answered"
      ? [onceKey({ name: gated.name, identity: gated.identity })]
      : [],
  );
}

/** Beginning now. `stays`: the process outlives the event. */
export function patienceFor(event: EventName, stays: boolean): Patience {
  const now = performance.now();
  if (ENDINGS.includes(event))
    return { eachMs: ENDING_MS.each, until: now + (stays ? ENDING_MS.there : ENDING_MS.here) };
  return stays ? {} : { until: now + HERE_MS };
}

/** Where no handler gets more than this. */
function atMost(eachMs: number | undefined, run: RunHandler): RunHandler {
  if (eachMs === undefined) return run;
  return async (handler, call) => {
    const timeoutMs = Math.min(call.timeoutMs, eachMs);
    const outcome = await run(handler, { ...call, timeoutMs });
    return outcome.outcome === "late" && timeoutMs < handler.normalForm.timeoutMs
      ? { ...outcome, detail: `clamped: its time was cut to ${timeoutMs} ms` }
      : outcome;
  };
}
