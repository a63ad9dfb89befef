import type { AnswerKind, HandlerName, Outcome, OutcomeKind } from "@hookpkg/spec";
import type { Engine } from "./request.ts";

/** Hears of every run of a handler. What it throws changes nothing. */
export type Watch = {
  started(handler: HandlerName, recheck: boolean): void;
  completed(handler: HandlerName, end: RunEnd): void;
};

/** How a run ended, without anything that the handler wrote. `why` is a stable code, `ms` from the call to the outcome. */
export type RunEnd = { outcome: OutcomeKind; ms: number; answer?: AnswerKind; why?: string };

/** The same engine, whose runs are told. */
export function watched(engine: Engine, watch: Watch): Engine {
  return {
    ...engine,
    run: (request, project) => {
      const run = engine.run(request, project);
      return async (handler, call) => {
        unharmed(() => watch.started(handler.name, call.recheck));
        const outcome = await run(handler, call);
        unharmed(() => watch.completed(handler.name, endOf(outcome)));
        return outcome;
      };
    },
  };
}

/** Calls a listener, who has no say in what is decided. */
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
