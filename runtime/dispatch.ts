import { isFault } from "@hookpkg/fault";
import type { Decision, Payload } from "@hookpkg/spec";
import { type Chained, type RunHandler, runChain } from "./chain/chain.ts";
import { orderHandlers } from "./chain/order.ts";
import { selectFor, subjectsOf } from "./chain/select.ts";
import { type Decided, decide } from "./decision/decide.ts";
import { allConditions, problemLine, wayOut, withoutEngine } from "./decision/telling.ts";
import { decideWithoutRuntime } from "./decision/without-runtime.ts";
import { approvedSet } from "./gate/approved-set.ts";
import { gate, refused } from "./gate/gate.ts";
import type { GateProblem } from "./gate/runnable.ts";
import { type Found, whichProjects } from "./gate/which-project.ts";
import type { Home } from "./home.ts";
import { journal } from "./journal/journal.ts";
import { journalLines } from "./journal/lines.ts";
import type { Outside, ProcessMark } from "./outside.ts";
import { type Project, USER } from "./person/projects.ts";
import { countRefusals, newsOf, readSession, recordEvent } from "./person/sessions.ts";

/** One event of a host, read by its adapter: canonical names, hook shapes. */
export type Request = {
  payload: Payload;
  /** The host's name; `native` is no host. */
  host: string;
  /** `--project` of the entry, and the host's own variable. */
  flag?: string;
  hostFolder?: string;
  /** What matchers are tried against, as the adapter read it; else computed from the payload. */
  subjects?: readonly string[];
  /** Whether a person can be asked now. */
  canAsk: boolean;
  /** The host gives up after this time, in milliseconds. */
  ceilingMs?: number;
  hostProcess?: ProcessMark;
};

/** What dispatch works with. `secrets` are values that appear nowhere; `run` is station 13. */
export type Engine = {
  home: Home;
  outside: Outside;
  run: (request: Request, project: Project | undefined) => RunHandler;
  secrets: readonly string[];
};

/** Stations 11 to 15: one event in, one decision out. Nothing escapes: what goes wrong is a decision too. */
export async function dispatch(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const unrecorded = await attempt(() => begin(request, engine, at.found));
    const { chained, problems } = await judged(request, engine, at);
    const { payload, canAsk } = request;
    const decided = decide(chained, { payload, canAsk, secrets: engine.secrets });
    const lines = journalLines(chained.entries, {
      ...{ payload, host: request.host, at: engine.outside.now().toISOString() },
      decision: decided.decision.decision,
    });
    const lost = await attempt(() => journal(engine.home, at.found.projects.at(-1)?.id ?? USER, lines, engine.secrets));
    const told = await tell(request, engine, decided, [...problems, ...unrecorded, ...lost]);
    return { ...decided.decision, person: told };
  });
}

/** The same chain on a made-up event: no session, no journal, everything told. */
export async function dispatchTry(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const { chained, problems } = await judged(request, engine, at);
    const { payload, canAsk } = request;
    const { decision, person, conditions } = decide(chained, { payload, canAsk, secrets: engine.secrets });
    return { ...decision, person: [...person, ...allConditions(conditions), ...problems.map(problemLine)] };
  });
}

type At = { found: Found; subjects: readonly string[]; from: number };

async function judged(
  request: Request,
  engine: Engine,
  { found, subjects, from }: At,
): Promise<{ chained: Chained; problems: readonly GateProblem[] }> {
  const approved = await approvedSet(engine.home, found.projects, engine.outside);
  const { order, off, problems } = orderHandlers(approved.handlers, approved.silent);
  const concerned = selectFor(request.payload, subjects);
  const held = approved.held.filter(concerned.held);
  const bypassed = off.filter(concerned.handler).map((handler) => refused(handler, "E_CHAIN_OFF"));
  const ordered = order.filter(concerned.handler);
  const gated = await gate(engine.home, ordered);
  // Managed handlers stand first in the order: nothing that is wrong below them keeps them from being asked.
  const managed = gated.splice(0, ordered.filter((handler) => handler.tier === "managed").length);
  const stations = [...managed, ...held, ...bypassed, ...gated];
  const spent = performance.now() - from;
  const ceiling = request.ceilingMs === undefined ? {} : { ceilingMs: request.ceilingMs - spent };
  const call = { run: engine.run(request, found.projects.at(-1)), ...ceiling };
  const chained = await runChain(stations, request.payload, call);
  return { chained, problems: [...approved.problems, ...problems] };
}

/** Where the event belongs, then the work; whatever is thrown there ends in what the closed files say. */
async function safely(request: Request, engine: Engine, work: (at: At) => Promise<Decision>): Promise<Decision> {
  const from = performance.now();
  let projects: readonly string[] | undefined;
  let subjects: readonly string[] = [];
  try {
    subjects = request.subjects ?? subjectsOf(request.payload);
    const found = whereabouts(request, engine);
    projects = found.projects.map((project) => project.id);
    return await work({ found, subjects, from });
  } catch (error) {
    const code = isFault(error) ? error.code : "E_DISPATCH";
    return withoutEngine(decideWithoutRuntime(engine.home, projects, request.payload.hook_event_name, subjects), code);
  }
}

function whereabouts({ payload, host, flag, hostFolder }: Request, { home }: Engine): Found {
  const session = readSession(home, host, payload.session_id);
  return whichProjects(home, {
    cwd: payload.cwd,
    ...(flag === undefined ? {} : { flag }),
    ...(hostFolder === undefined ? {} : { hostFolder }),
    ...(session === undefined ? {} : { session }),
  });
}

async function begin({ payload, host, hostProcess }: Request, { home, outside }: Engine, found: Found): Promise<void> {
  const seen = {
    host,
    session: payload.session_id,
    root: found.root,
    projects: found.projects.map((project) => project.id),
    ends: payload.hook_event_name === "SessionEnd",
    ...(hostProcess === undefined ? {} : { process: hostProcess }),
  };
  await recordEvent(home, seen, outside);
}

/** Lines for the person: refusals always, each condition and problem when it is new to this session. */
async function tell(
  { payload, host }: Request,
  engine: Engine,
  { decision, person, conditions }: Decided,
  problems: readonly GateProblem[],
): Promise<string[]> {
  const lines = new Map(problems.map((problem) => [`problem ${problemLine(problem)}`, problemLine(problem)]));
  const states = { ...conditions, ...Object.fromEntries([...lines.keys()].map((name) => [name, "told"])) };
  let news: readonly string[] = Object.keys(states);
  let refusals = 0;
  const seen = { host, session: payload.session_id };
  await attempt(async () => {
    news = await newsOf(engine.home, seen, states);
    refusals = await countRefusals(engine.home, seen, decision.decision === "cancel");
  });
  const all = allConditions(conditions, news);
  return [...person, ...wayOut(refusals), ...all, ...news.flatMap((name) => lines.get(name) ?? [])];
}

/** What may fail without changing the decision is told instead. */
async function attempt(work: () => Promise<void>): Promise<GateProblem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [{ code: isFault(error) ? error.code : "E_DISPATCH", facts: {} }];
  }
}
