import type { Outcome } from "@hookpkg/spec";
import type { Engine } from "./request.ts";

/**
 * The same engine, whose runs have failed once it ends: closed handlers refuse then, open ones are passed, and no decision waits. `runs`
 * holds what is really under way.
 */
export function endingAt(engine: Engine, end: AbortSignal, runs: Set<Promise<unknown>>): Engine {
  return {
    ...engine,
    run: (request, project) => {
      const run = engine.run(request, project);
      return async (handler, call) => {
        const from = performance.now();
        const ended = Promise.withResolvers<Outcome>();
        const giveUp = () => ended.resolve({ outcome: "failed", why: "E_CHAIN_CLOSED", ms: performance.now() - from });
        if (end.aborted) giveUp();
        else end.addEventListener("abort", giveUp, { once: true });
        const running = end.aborted ? ended.promise : run(handler, call);
        runs.add(running);
        running.catch(() => {}).finally(() => runs.delete(running)); // whoever gave up does not hear of it
        return Promise.race([running, ended.promise]).finally(() => end.removeEventListener("abort", giveUp));
      };
    },
  };
}
