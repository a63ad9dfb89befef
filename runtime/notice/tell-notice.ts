import type { HandlerReport, Payload } from "@hookpkg/spec";
import { type Patience, runAfterwards } from "../afterwards.ts";
import { setAside } from "../chain/chain.ts";
import { arrival } from "../gate/arrival.ts";
import { concerned } from "../gate/concerned.ts";
import type { GateProblem } from "../gate/runnable.ts";
import type { Found } from "../gate/which-project.ts";
import { spentIn } from "../person/spent.ts";
import type { Engine, Request } from "../request.ts";
import { Emissions } from "./emissions.ts";
import { emitted } from "./emitted.ts";
import type { Emitted } from "./trigger.ts";

/** What became of a notice: each handler that heard it, and what is wrong with the approvals or the order here. */
export type Told = { handlers: readonly HandlerReport[]; problems: readonly GateProblem[] };

/** Where a notice is told: as an event of that session and folder. `by`: who tells it. */
export type TellingPlace = Omit<Request, "payload" | "canAsk"> & { session: string; cwd: string; by: string };

/**
 * Tells `custom.<name>` to everybody who is approved there and reacts to it, and what they tell in turn to others. Resolves when all have
 * ended. E_EMIT_NAME, E_EMIT_DATA, E_EMIT_SIZE.
 */
export async function tellNotice(
  notice: { name: string; data: unknown },
  { session, cwd, ...place }: TellingPlace,
  engine: Engine,
): Promise<Told> {
  const checked = emitted(notice.name, notice.data);
  const at = { hook_event_name: checked.name, session_id: session, transcript_path: null, cwd };
  const request: Request = { ...place, payload: at, canAsk: false };
  const telling = { found: arrival(request, engine.home), emissions: new Emissions(), patience: {} };
  return tellOne({ ...checked, by: place.by }, request, engine, telling);
}

type Telling = {
  found: Found;
  /** Whose handlers told it. */
  emissions: Emissions;
  patience: Patience;
};
type Notice = Emitted & { by: string };

/** Notices that handlers of one event told, one after the other, as events of its session. */
export async function tellNotices(
  notices: readonly Notice[],
  request: Request,
  engine: Engine,
  telling: Telling,
): Promise<void> {
  for (const notice of notices) await tellOne(notice, request, engine, telling);
}

async function tellOne(notice: Notice, request: Request, engine: Engine, telling: Telling): Promise<Told> {
  const { found, patience } = telling;
  const payload = payloadOf(notice, request.payload);
  const asked: Request = { ...request, payload, subjects: [], by: notice.by };
  const { stations, apart, problems } = await concerned(engine, found, { payload, subjects: [] });
  const entries = setAside(stations, "later");
  const spent = spentIn(engine.home, { host: request.host, session: payload.session_id });
  const later = { found, subjects: [], entries, payload, decision: { decision: "continue" as const } };
  const emissions = telling.emissions.next();
  const handlers = await runAfterwards(asked, emissions.heardFrom(engine), later, { patience, apart, spent });
  await tellNotices(emissions.take(), asked, engine, { found, emissions, patience });
  return { handlers, problems };
}

/** `emitted_by` is ours to set: a listener can see whose word it is. */
function payloadOf({ name, data, by }: Notice, { session_id, transcript_path, cwd, turn_id }: Payload): Payload {
  const turn = turn_id === undefined ? {} : { turn_id };
  return { hook_event_name: name, session_id, transcript_path, cwd, ...turn, payload: data, emitted_by: by };
}
