import { isFault } from "@hookpkg/fault";
import { type Decision, eventRow, sha256 } from "@hookpkg/spec";
import { answeredOnce, type Later, runAfterwards } from "./afterwards.ts";
import { runningSelf, withoutSilentSelf, withSelf } from "./builtin/self.ts";
import { type ChainEntry, isStop, runChain } from "./chain/chain.ts";
import { subjectsOf } from "./chain/select.ts";
import { type Decided, decide } from "./decision/decide.ts";
import { decideOnce, repeatKey, type Stamp } from "./decision/repeats.ts";
import { limitStops } from "./decision/stopping.ts";
import { tell, tellAll } from "./decision/tell.ts";
import { aliveLine, withoutEngine } from "./decision/telling.ts";
import { decideWithoutRuntime } from "./decision/without-runtime.ts";
import { withoutSecrets } from "./decision/without-secrets.ts";
import { type ApprovedSet, approvedSet } from "./gate/approved-set.ts";
import { arrival, recordArrival } from "./gate/arrival.ts";
import type { GateProblem, Runnable } from "./gate/runnable.ts";
import { type Stations, stationsOf } from "./gate/stations.ts";
import type { Found } from "./gate/which-project.ts";
import { journal } from "./journal/journal.ts";
import { journalLines } from "./journal/lines.ts";
import { USER } from "./person/projects.ts";
import { onceKey, spend, spentIn } from "./person/spent.ts";
import type { Engine, Request } from "./request.ts";

/** Stations 11 to 15: one event in, one decision out. Nothing escapes: what goes wrong is a decision too. */
export async function dispatch(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const { home, outside, secrets } = engine;
    const { payload, host } = request;
    const id = { host, session: payload.session_id };
    const begun = await attempt(() => recordArrival(request, engine, at.found), []);
    const gated = await concerned(request, engine, at);
    const judged = await judgedOnce(request, engine, at, gated);
    const stopped = await attempt(() => limitStops(home, host, payload, judged.decided), judged.decided);
    const decided = stopped.value;
    const occasion = { payload, subjects: at.subjects, host, at: outside.now().toISOString() };
    const lines = journalLines({ ...judged, apart: gated.apart }, { ...occasion, decision: decided.decision });
    const written = await attempt(() => journal(home, at.found.projects.at(-1)?.id ?? USER, lines, secrets), undefined);
    const spent = await attempt(() => spend(home, id, answeredOnce(judged.entries)), undefined);
    const problems = [...gated.problems, ...begun.lost, ...stopped.lost, ...written.lost, ...spent.lost];
    const alive = payload.hook_event_name === "SessionStart" ? gated.alive : undefined;
    const tidings = {
      ...{ decided, problems, waiting: gated.waiting, off: gated.off, announced: begun.value },
      ...(alive === undefined ? {} : { alive }),
    };
    const told = await attempt(() => tell(home, id, tidings), tellAll(tidings));
    await leaveForLater(request, engine, { ...judged, ...at, decision: decided.decision });
    engine.prewarm?.(request, at.found.projects, gated.handlers);
    return { ...decided.decision, person: told.value };
  });
}

/** The same chain on a made-up event: no session, no journal, nothing for later, everything told. */
export async function dispatchTry(request: Request, engine: Engine): Promise<Decision> {
  return safely(request, engine, async (at) => {
    const gated = await concerned(request, engine, at);
    const { decided } = await judge(request, engine, at, { gated, spent: new Set() });
    return { ...decided.decision, person: tellAll({ decided, problems: gated.problems, off: gated.off }) };
  });
}

type At = { found: Found; subjects: readonly string[]; from: number };
type Concerned = Stations &
  Pick<ApprovedSet, "waiting" | "handlers"> & {
    off: Parameters<typeof tellAll>[0]["off"];
    stamp: Stamp;
    alive?: string;
  };
type Judged = { decided: Decided; entries: readonly ChainEntry[]; payload: Request["payload"] };

/** Station 11. */
async function concerned({ payload }: Request, { home, outside }: Engine, { found, subjects }: At): Promise<Concerned> {
  const approved = await approvedSet(home, found.projects, outside);
  const { handlers, waiting, isSafe } = approved;
  const gated = await stationsOf(home, approved, { payload, subjects });
  const off = { handlers: approved.off.map(({ handler }) => handler.name), safeMode: isSafe };
  const alive = aliveLine(countsOf(approved));
  const told = alive === undefined ? {} : { alive };
  return { ...gated, handlers, waiting, off, stamp: stampOf(approved, gated), ...told };
}

function countsOf({ handlers, held, waiting }: ApprovedSet) {
  const guards = handlers.filter(({ normalForm }) => normalForm.may.includes("cancel")).length;
  return { guards, others: handlers.length - guards, held: held.length, waiting: waiting.length };
}

/** Who is to be asked and as what: approvals, options, what the locks propose, and what the gate says of the bytes. */
function stampOf({ handlers, waiting, isSafe }: ApprovedSet, { stations, problems }: Stations): Stamp {
  const set = handlers.map(({ name, identity, state, options, project }) => [name, identity, state, options, project]);
  const verdicts = stations.map((gated) => [gated.name, gated.kind, "why" in gated ? gated.why : ""]);
  return sha256(JSON.stringify([set, verdicts, waiting, isSafe, problems]));
}

/** Stations 12 to 14; what a host tells twice is judged once. */
async function judgedOnce(request: Request, engine: Engine, at: At, gated: Concerned): Promise<Judged> {
  const { payload, host } = request;
  const { home, outside } = engine;
  const isOnce = gated.stations.some((each) => each.kind === "runnable" && each.normalForm.once);
  const spent = isOnce ? spentIn(home, { host, session: payload.session_id }) : new Set<string>();
  const told = { key: gated.stations.length === 0 ? undefined : repeatKey(request), stamp: gated.stamp };
  const stays = request.stays ?? false;
  const judged = await decideOnce(home, { ...told, stays, nowMs: outside.now().getTime() }, async () => {
    const now = await judge(request, engine, at, { gated, spent });
    return { ...now, decision: { ...now.decided.decision, person: now.decided.person } };
  });
  if (!("repeated" in judged)) return judged;
  const { person, ...decision } = judged.repeated;
  const entries = gated.stations.map(
    (each): ChainEntry => ({ gated: each, matched: true, effect: { effect: "none" }, aside: "repeated" }),
  );
  return { decided: { decision, person, conditions: {}, repeated: true }, entries, payload };
}

async function judge(
  request: Request,
  engine: Engine,
  { found, from }: At,
  { gated, spent }: { gated: Concerned; spent: ReadonlySet<string> },
): Promise<Judged> {
  const { payload, canAsk, ceilingMs } = request;
  const left = ceilingMs === undefined ? {} : { ceilingMs: ceilingMs - (performance.now() - from) };
  const isNotice = eventRow(payload.hook_event_name).kind === "notice";
  const aside = ({ name, identity, normalForm }: Runnable) => {
    if (normalForm.once && spent.has(onceKey({ name, identity }))) return "spent";
    return normalForm.async || (isNotice && request.after !== undefined) ? "later" : undefined;
  };
  const roots = found.projects.map((project) => project.root);
  const run = runningSelf(engine.run(request, found.projects.at(-1)), engine.home, roots);
  const stations = withSelf(gated.stations, payload, request.host !== "native" || roots.length > 0);
  const ran = await runChain(stations, payload, { run, aside, ...left });
  const chained = { ...ran, entries: withoutSecrets(withoutSilentSelf(ran.entries), engine.secrets) };
  const decided = decide(chained, { payload, canAsk, secrets: engine.secrets });
  return { decided, entries: chained.entries, payload: chained.payload };
}

/** Nothing of it can change the decision any more. */
async function leaveForLater(request: Request, engine: Engine, later: Later): Promise<void> {
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
    const { payload } = request;
    // Nobody counts here, and an agent that is kept going for ever is the worse end.
    if (isStop(payload)) return withoutEngine({ refuse: false }, codeOf(error));
    const plain = decideWithoutRuntime(engine.home, projects, payload.hook_event_name, subjects);
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
