import { type Payload, type Sha256, sha256 } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { type ApprovedSet, approvedSet } from "./approved-set.ts";
import type { Approved } from "./runnable.ts";
import { type Stations, stationsOf } from "./stations.ts";
import type { Found } from "./which-project.ts";

/** Everything approved where an event happened, and those whom it concerns. */
export type Concerned = Stations &
  Pick<ApprovedSet, "waiting" | "handlers"> & {
    off: { handlers: readonly string[]; safeMode: boolean };
    /** Who is to be asked and as what, whether an event that is told twice may have its first decision again. */
    stamp: Sha256;
    counts: Counts;
  };

/** How much guards a session. */
export type Counts = { guards: number; others: number; held: number; waiting: number };

/** Station 11: the approved set here, and of it the handlers that this event concerns, as hashed bytes or held. */
export async function concerned(
  { home, outside }: { home: Home; outside: Outside },
  { projects }: Found,
  event: { payload: Payload; subjects: readonly string[] },
): Promise<Concerned> {
  const approved = await approvedSet(home, projects, outside);
  const { handlers, waiting, held, isSafe } = approved;
  const gated = await stationsOf(home, approved, event);
  const off = { handlers: approved.off.map(({ handler }) => handler.name), safeMode: isSafe };
  const counts = { ...guardsAmong(handlers), held: held.length, waiting: waiting.length };
  return { ...gated, handlers, waiting, off, counts, stamp: stampOf(approved, gated) };
}

function guardsAmong(handlers: readonly Approved[]): Pick<Counts, "guards" | "others"> {
  const guards = handlers.filter(({ normalForm }) => normalForm.may.includes("cancel")).length;
  return { guards, others: handlers.length - guards };
}

/** Approvals, options, what the locks propose, and what the gate says of the bytes. */
function stampOf({ handlers, waiting, isSafe }: ApprovedSet, { stations, problems }: Stations): Sha256 {
  const set = handlers.map(({ name, identity, state, options, project }) => [name, identity, state, options, project]);
  const verdicts = stations.map((gated) => [gated.name, gated.kind, "why" in gated ? gated.why : ""]);
  return sha256(JSON.stringify([set, verdicts, waiting, isSafe, problems]));
}
