import { isFault } from "@hookpkg/fault";
import type { Decision } from "@hookpkg/spec";
import { isStop } from "./chain/chain.ts";
import { subjectsOf } from "./chain/select.ts";
import { withoutEngine } from "./decision/telling.ts";
import { decideWithoutRuntime } from "./decision/without-runtime.ts";
import { arrival } from "./gate/arrival.ts";
import type { GateProblem } from "./gate/runnable.ts";
import type { Found } from "./gate/which-project.ts";
import type { Home } from "./home.ts";
import type { Request } from "./request.ts";

/** Where an event belongs, what its matchers are tried on, and since when its host waits (`performance.now()`). */
export type At = { found: Found; subjects: readonly string[]; from: number };

/** Where the event belongs, then the work; whatever is thrown there ends in what the closed files say. */
export async function contained(request: Request, home: Home, work: (at: At) => Promise<Decision>): Promise<Decision> {
  const from = performance.now();
  let projects: readonly string[] | undefined;
  let subjects: readonly string[] = [];
  try {
    subjects = request.subjects ?? subjectsOf(request.payload);
    const found = arrival(request, home);
    projects = found.projects.map((project) => project.id);
    return await work({ found, subjects, from });
  } catch (error) {
    const { payload } = request;
    // Nobody counts here, and an agent that is kept going for ever is the worse end.
    if (isStop(payload)) return withoutEngine({ refuse: false }, codeOf(error));
    const plain = decideWithoutRuntime(home, projects, payload.hook_event_name, subjects);
    return withoutEngine(plain, codeOf(error));
  }
}

/** What may fail without changing the decision is told instead. */
export async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<{ value: T; lost: GateProblem[] }> {
  try {
    return { value: await work(), lost: [] };
  } catch (error) {
    return { value: otherwise, lost: [{ code: codeOf(error), facts: {} }] };
  }
}

function codeOf(error: unknown): string {
  return isFault(error) ? error.code : "E_DISPATCH";
}
