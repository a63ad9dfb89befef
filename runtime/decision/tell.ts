import { sha256 } from "@hookpkg/spec";
import type { Counts } from "../gate/concerned.ts";
import type { GateProblem } from "../gate/runnable.ts";
import type { Home } from "../home.ts";
import type { Announced } from "../person/announce.ts";
import { takeOwed } from "../person/owed.ts";
import { countRefusals, newsOf } from "../person/sessions.ts";
import type { Decided } from "./decide.ts";
import {
  aliveLine,
  allConditions,
  announcements,
  askingLine,
  besideLine,
  longLine,
  longState,
  type Off,
  offLine,
  offState,
  printedLine,
  problemLine,
  wayOut,
} from "./telling.ts";

export type Tidings = {
  decided: Decided;
  problems: readonly GateProblem[];
  waiting: readonly { name: string; identity: string | null }[];
  off: Off;
  announced: readonly Announced[];
  /** Roots of projects that the event lies in and that its session does not belong to. */
  beside?: readonly string[];
  /** At a session's start: how much guards it. */
  counts?: Counts;
};

/**
 * Lines for the person. Refusals always; conditions, problems and what waits when they are new to this session. Throws when the session
 * can't be written: then nobody knows what was told.
 */
export async function tell(
  home: Home,
  session: { host: string; session: string },
  { decided, problems, waiting, off, announced, beside = [], counts }: Tidings,
): Promise<string[]> {
  const { decision, person, repeated } = decided;
  const refusedBy = decision.decision === "cancel" ? decided.refusedBy : undefined; // not when it was let through after all
  const alive = counts === undefined ? undefined : aliveLine(counts);
  const conditions = { ...(await takeOwed(home, session)), ...decided.conditions };
  const lines = new Map([
    ...problems.map((problem) => [`problem ${problemLine(problem)}`, problemLine(problem)] as const),
    ...beside.map((root) => [`beside ${sha256(root)}`, besideLine(root)] as const),
    ...askingLine(waiting),
    ...decided.long.map((one) => [`long ${one.by} ${longState(one)}`, longLine(one)] as const),
    ...Object.entries(decided.printed).map(([by, text]) => [`printed ${by}`, printedLine(by, text)] as const),
  ]);
  const told = Object.fromEntries([...lines.keys()].map((name) => [name, "told"]));
  const states = { ...conditions, ...told, [OFF]: offState(off), ...(alive === undefined ? {} : { [ALIVE]: alive }) };
  const news = await newsOf(home, session, states);
  const refusals = repeated ? 0 : await countRefusals(home, session, refusedBy?.handler);
  return [
    ...(news.includes(OFF) ? linesOf(offLine(off)) : []), // first: hosts show a few lines only
    ...(news.includes(ALIVE) ? linesOf(alive) : []),
    ...person,
    ...(refusedBy === undefined ? [] : wayOut(refusals, refusedBy)),
    ...allConditions(conditions, news),
    ...news.flatMap((name) => lines.get(name) ?? []),
    ...announcements(announced),
  ];
}

/** What is switched off, as one condition among the handlers' own. */
const OFF = "switched off";

/** Proof that the host asks us at all: once in a session, and again when it is something else. */
const ALIVE = "alive";

/** Everything, for want of a session. */
export function tellAll({ decided, problems, off }: Pick<Tidings, "decided" | "problems" | "off">): string[] {
  return [
    ...linesOf(offLine(off)),
    ...decided.person,
    ...allConditions(decided.conditions),
    ...problems.map(problemLine),
    ...decided.long.map(longLine),
    ...Object.entries(decided.printed).map(([by, text]) => printedLine(by, text)),
  ];
}

function linesOf(line: string | undefined): string[] {
  return line === undefined ? [] : [line];
}
