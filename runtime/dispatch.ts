import { type Decision, eventRow } from "@hookpkg/spec";
import { answeredOnce, type Later } from "./afterwards.ts";
import { runningSelf, withoutSilentSelf, withSelf } from "./builtin/self.ts";
import { runChain, setAside } from "./chain/chain.ts";
import { type At, attempt, contained } from "./containment.ts";
import { type Decided, decide } from "./decision/decide.ts";
import { decideOnce, repeatKey } from "./decision/repeats.ts";
import { limitStops } from "./decision/stopping.ts";
import { tell, tellAll } from "./decision/tell.ts";
import { withoutSecrets } from "./decision/without-secrets.ts";
import { recordArrival } from "./gate/arrival.ts";
import { type Concerned, concerned } from "./gate/concerned.ts";
import type { Runnable } from "./gate/runnable.ts";
import { journalEvent } from "./journal/journal-event.ts";
import { leaveForKeeping } from "./keeping.ts";
import { Emissions } from "./notice/emissions.ts";
import { toldByHost } from "./notice/emitted.ts";
import { leaveForLater } from "./notice/leave-for-later.ts";
import { withTriggered } from "./notice/tell-triggered.ts";
import { isSpent, spend, spentIn } from "./person/spent.ts";
import type { Engine, Request } from "./request.ts";
import { keepText } from "./spill/session-texts.ts";
import { type Wording, worded } from "./spill/worded.ts";

/** Stations 11 to 15: one event in, one decision out. Nothing escapes: what goes wrong is a decision too. */
export async function dispatch(asked: Request, engine: Engine): Promise<Decision> {
  const request = { ...asked, payload: toldByHost(asked.payload) };
  return contained(request, engine.home, async (at) => {
    const { home } = engine;
    const { payload, host } = request;
    const id = { host, session: payload.session_id };
    const begun = await attempt(() => recordArrival(request, engine, at.found), []);
    const gated = await concerned(engine, at.found, { payload, subjects: at.subjects });
    const emissions = new Emissions();
    const judged = await judgedOnce(request, emissions.heardFrom(engine), at, gated);
    const stopped = await attempt(() => limitStops(home, host, payload, judged.decided), judged.decided);
    const saying = { found: at.found, handlers: gated.handlers, decided: stopped.value };
    const said = await attempt(() => withTriggered(request, engine, saying), stopped.value);
    const decided = await settled(request, said.value);
    const later: Later = { ...judged, ...at, decision: decided.decision, long: decided.long };
    const written = await attempt(() => journalEvent(request, engine, later, gated.apart), undefined);
    const spent = await attempt(() => spend(home, id, answeredOnce(judged.entries)), undefined);
    const lost = [begun, stopped, said, written, spent].flatMap((each) => each.lost);
    const problems = [...gated.problems, ...lost];
    const counts = payload.hook_event_name === "SessionStart" ? { counts: gated.counts } : {};
    const { beside = [] } = at.found;
    const common = { decided, problems, waiting: gated.waiting, off: gated.off, announced: begun.value };
    const tidings = { ...common, beside, ...counts };
    const told = await attempt(() => tell(home, id, tidings), tellAll(tidings));
    leaveForKeeping(request, engine, at, decided);
    await leaveForLater(request, engine, { ...later, emissions, handlers: gated.handlers });
    engine.prewarm?.(request, at.found.projects, gated.handlers);
    return { ...decided.decision, person: told.value };
  });
}

async function settled({ settle, payload }: Request, decided: Decided): Promise<Decided> {
  return settle === undefined ? decided : { ...decided, decision: await settle(decided.decision, payload) };
}

/** The same chain on a made-up event: no session, no journal, nothing for later, everything told. */
export async function dispatchTry(request: Request, engine: Engine): Promise<Decision> {
  return contained(request, engine.home, async (at) => {
    const gated = await concerned(engine, at.found, { payload: request.payload, subjects: at.subjects });
    const { decided } = await judge(request, engine, at, { gated, spent: new Set() });
    return { ...decided.decision, person: tellAll({ decided, problems: gated.problems, off: gated.off }) };
  });
}

type Judged = Pick<Later, "entries" | "payload"> & { decided: Decided };

/** Stations 12 to 14; what a host tells twice is judged once. */
async function judgedOnce(request: Request, engine: Engine, at: At, gated: Concerned): Promise<Judged> {
  const { payload, host, stays = false } = request;
  const { home, outside } = engine;
  const isOnce = gated.stations.some((each) => each.kind === "runnable" && each.normalForm.once);
  const id = { host, session: payload.session_id };
  const spent = isOnce ? spentIn(home, id) : new Set<string>();
  const key = gated.stations.length === 0 ? undefined : repeatKey(request);
  const telling = { key, stamp: gated.stamp, stays, nowMs: outside.now().getTime() };
  const judged = await decideOnce(home, telling, async () => {
    const now = await judge(request, engine, at, { gated, spent, keep: (text) => keepText(outside, id, text) });
    return { ...now, decision: { ...now.decided.decision, person: now.decided.person } };
  });
  if (!("repeated" in judged)) return judged;
  const { person, ...decision } = judged.repeated;
  const entries = setAside(gated.stations, "repeated");
  return { decided: { decision, person, conditions: {}, long: [], printed: {}, repeated: true }, entries, payload };
}

async function judge(
  request: Request,
  engine: Engine,
  { found, from }: At,
  { gated, spent, keep }: { gated: Concerned; spent: ReadonlySet<string>; keep?: Wording["keep"] },
): Promise<Judged> {
  const { payload, canAsk, ceilingMs, takes } = request;
  const left = ceilingMs === undefined ? {} : { ceilingMs: ceilingMs - (performance.now() - from) };
  const isNotice = eventRow(payload.hook_event_name).kind === "notice";
  const aside = (handler: Runnable) => {
    if (isSpent(handler, spent)) return "spent";
    return handler.normalForm.async || (isNotice && request.after !== undefined && !request.waits)
      ? "later"
      : undefined;
  };
  const roots = found.projects.map((project) => project.root);
  const run = runningSelf(engine.run(request, found.projects.at(-1)), engine.home, roots);
  const stations = withSelf(gated.stations, payload, request.host !== "native" || roots.length > 0);
  const ran = await runChain(stations, payload, { run, aside, ...left });
  const chained = { ...ran, entries: withoutSecrets(withoutSilentSelf(ran.entries), engine.secrets) };
  const decided = worded(decide(chained, { payload, canAsk, secrets: engine.secrets }), { takes, keep });
  return { decided, entries: chained.entries, payload: chained.payload };
}
