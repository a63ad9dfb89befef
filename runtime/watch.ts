import type { AnswerKind, EventName, HandlerName, Outcome, OutcomeKind } from "@hookpkg/spec";
import type { Engine } from "./request.ts";

/** One run of a handler: of the event that was dispatched, or of a notice that a handler told. */
export type HandlerRun = { event: EventName; session: string; handler: HandlerName; recheck: boolean };

/** How a run ended, without anything that the handler wrote. `why` is a stable code; `ms` from the call to the outcome. */
export type RunEnd = { outcome: OutcomeKind; ms: number; answer?: AnswerKind; why?: string };

/** Hears of every run of a handler. What it throws changes nothing. */
export type Watch = { started(run: HandlerRun): void; completed(run: HandlerRun, end: RunEnd): void };

/** The same engine, whose runs are told. */
export function watched(engine: Engine, watch: Watch): Engine {
  return {
    ...engine,
    run: (request, project) => {
      const run = engine.run(request, project);
      const { hook_event_name: event, session_id: session } = request.payload;
      return async (handler, call) => {
        const about = { event, session, handler: handler.name, recheck: call.recheck };
        unharmed(() => watch.started(about));
        const outcome = await run(handler, call);
        unharmed(() => watch.completed(about, endOf(outcome)));
        return outcome;
      };
    },
  };
}

/** Tells a listener, who has no say in what is decided. */
export function unharmed(tell: () => unknown): void {
  try {
    const said = tell();
    if (said instanceof Promise) said.catch(() => {});
  } catch {
    // It is the listener's own.
  }
}

function endOf(outcome: Outcome): RunEnd {
  return {
    ...{ outcome: outcome.outcome, ms: outcome.ms },
    ...(outcome.outcome === "answered" ? { answer: outcome.answer.answer } : {}),
    ...("why" in outcome ? { why: outcome.why } : {}),
  };
}
