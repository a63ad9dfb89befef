import type { Decision, EventName, Payload } from "@hookpkg/spec";
import { type ChainEntry, type RunHandler, runChain } from "./chain/chain.ts";
import { attempt } from "./containment.ts";
import { decide } from "./decision/decide.ts";
import { withoutSecrets } from "./decision/without-secrets.ts";
import type { Found } from "./gate/which-project.ts";
import { journalEvent } from "./journal/journal-event.ts";
import { owe } from "./person/owed.ts";
import { onceKey, spend } from "./person/spent.ts";
import type { Engine, Request } from "./request.ts";

export type Later = {
  found: Found;
  subjects: readonly string[];
  /** Entries of the decided chain. */
  entries: readonly ChainEntry[];
  /** As it happens, with all patches. */
  payload: Payload;
  decision: Pick<Decision, "decision" | "forced">;
};

/** In one process with the host's event, which waits for the process to end. */
const HERE_MS = 5000;
/** The host is about to go. */
const ENDINGS: readonly EventName[] = ["SessionEnd", "Interrupt"];
const ENDING_MS = { each: 1000, here: 800, there: 3000 };

/** Nothing of it can change the decision any more. */
export async function leaveForLater(request: Request, engine: Engine, later: Later): Promise<void> {
  const entries = later.entries.filter(({ aside }) => aside === "later");
  if (entries.length === 0) return;
  const names = entries.flatMap(({ gated }) => (gated.kind === "runnable" ? gated.normalForm.capabilities.env : []));
  await attempt(async () => engine.prepare?.(names), undefined);
  const work = async () => {
    await attempt(() => runAfterwards(request, engine, { ...later, entries }), undefined);
  };
  if (request.after) request.after(work);
  else void work();
}

/**
 * Runs handlers whose answer nobody waits for, one after the other, after the decision is out. What they say is ignored; what became of
 * them is journaled, told at the session's next event, and never holds anything.
 */
async function runAfterwards(request: Request, engine: Engine, later: Later): Promise<void> {
  const { home, secrets } = engine;
  const { host, payload: asked } = request;
  const id = { host, session: asked.session_id };
  const { eachMs, ...ceiling } = timeFor(asked.hook_event_name, request.stays ?? false);
  const run = atMost(eachMs, engine.run(request, later.found.projects.at(-1)));
  const gated = later.entries.map((entry) => entry.gated);
  const ran = await runChain(gated, later.payload, { run, ...ceiling });
  const entries = withoutSecrets(ran.entries, secrets);
  await journalEvent(request, engine, { ...later, entries });
  await spend(home, id, answeredOnce(entries));
  await owe(
    home,
    id,
    decide({ entries, payload: later.payload }, { payload: asked, canAsk: false, secrets }).conditions,
  );
}

/** Those that were to run once and have answered. */
export function answeredOnce(entries: readonly ChainEntry[]): string[] {
  return entries.flatMap(({ gated, outcome }) =>
    gated.kind === "runnable" && gated.normalForm.once && outcome?.outcome === "answered"
      ? [onceKey({ name: gated.name, identity: gated.identity })]
      : [],
  );
}

function timeFor(event: EventName, stays: boolean): { eachMs?: number; ceilingMs?: number } {
  if (ENDINGS.includes(event)) return { eachMs: ENDING_MS.each, ceilingMs: stays ? ENDING_MS.there : ENDING_MS.here };
  return stays ? {} : { ceilingMs: HERE_MS };
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
