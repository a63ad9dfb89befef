import { isFault } from "@hookpkg/fault";
import type { Decision } from "@hookpkg/spec";
import { type RunHandler, runChain } from "./chain/chain.ts";
import { subjectsOf } from "./chain/select.ts";
import { decide } from "./decision/decide.ts";
import { tell, tellAll } from "./decision/tell.ts";
import { withoutEngine } from "./decision/telling.ts";
import { decideWithoutRuntime } from "./decision/without-runtime.ts";
import { approvedSet } from "./gate/approved-set.ts";
import { arrival, recordArrival } from "./gate/arrival.ts";
import type { GateProblem } from "./gate/runnable.ts";
import { stationsOf } from "./gate/stations.ts";
import type { Found } from "./gate/which-project.ts";
import { journal } from "./journal/journal.ts";
import { journalLines } from "./journal/lines.ts";
import { USER } from "./person/projects.ts";
import type { Engine, Request } from "./request.ts";

/** Stations 11 to 15: one event in, one decision out. Nothing escapes: what goes wrong is a decision too. */
export async function dispatch(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const { home, outside, secrets } = engine;
    const { payload, host } = request;
    const begun = await attempt(() => recordArrival(request, engine, at.found), []);
    const judged = await judge(request, engine, at);
    const { decided, problems, waiting, off } = judged;
    const { decision } = decided;
    const occasion = { payload, subjects: at.subjects, host, at: outside.now().toISOString() };
    const lines = journalLines(judged, { ...occasion, decision: decision.decision });
    const written = await attempt(() => journal(home, at.found.projects.at(-1)?.id ?? USER, lines, secrets), undefined);
    const all = [...problems, ...begun.lost, ...written.lost];
    const tidings = { decided, problems: all, waiting, off, announced: begun.value };
    const told = await attempt(() => tell(home, { host, session: payload.session_id }, tidings), tellAll(tidings));
    return { ...decision, person: told.value };
  });
}

/** The same chain on a made-up event: no session, no journal, everything told. */
export async function dispatchTry(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const { decided, problems, off } = await judge(request, engine, at);
    return { ...decided.decision, person: tellAll({ decided, problems, off }) };
  });
}

type At = { found: Found; subjects: readonly string[]; from: number };

/** Stations 11 to 14. */
async function judge(request: Request, engine: Engine, { found, subjects, from }: At) {
  const { payload, canAsk, ceilingMs } = request;
  const approved = await approvedSet(engine.home, found.projects, engine.outside);
  const { stations, apart, problems } = await stationsOf(engine.home, approved, { payload, subjects });
  const left = ceilingMs === undefined ? {} : { ceilingMs: ceilingMs - (performance.now() - from) };
  const run = atMost(request.eachMs, engine.run(request, found.projects.at(-1)));
  const chained = await runChain(stations, payload, { run, ...left });
  const decided = decide(chained, { payload, canAsk, secrets: engine.secrets });
  const { waiting, isSafe } = approved;
  const off = { handlers: approved.off.map(({ handler }) => handler.name), safeMode: isSafe };
  return { decided, entries: chained.entries, apart, problems, waiting, off };
}

function atMost(eachMs: number | undefined, run: RunHandler): RunHandler {
  if (eachMs === undefined) return run;
  return (handler, call) => run(handler, { ...call, timeoutMs: Math.min(call.timeoutMs, eachMs) });
}

/** Where the event belongs, then the work; whatever is thrown there ends in what the closed files say. */
async function safely(request: Request, engine: Engine, work: (at: At) => Promise<Decision>): Promise<Decision> {
  const from = performance.now();
  let projects: readonly string[] | undefined;
  let subjects: readonly string[] = [];
  try {
    subjects = request.subjects ?? subjectsOf(request.payload);
    const found = arrival(request, engine.home);
    projects = found.projects.map((project) => project.id);
    return await work({ found, subjects, from });
  } catch (error) {
    const plain = decideWithoutRuntime(engine.home, projects, request.payload.hook_event_name, subjects);
    return withoutEngine(plain, codeOf(error));
  }
}

/** What may fail without changing the decision is told instead. */
async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<{ value: T; lost: GateProblem[] }> {
  try {
    return { value: await work(), lost: [] };
  } catch (error) {
    return { value: otherwise, lost: [{ code: codeOf(error), facts: {} }] };
  }
}

function codeOf(error: unknown): string {
  return isFault(error) ? error.code : "E_DISPATCH";
}
