import type { GateProblem } from "../gate/runnable.ts";
import type { Home } from "../home.ts";
import type { Announced } from "../person/announce.ts";
import { countRefusals, newsOf } from "../person/sessions.ts";
import type { Decided } from "./decide.ts";
import { allConditions, announcements, askingLine, type Off, offLines, problemLine, wayOut } from "./telling.ts";

export type Tidings = {
  decided: Decided;
  problems: readonly GateProblem[];
  waiting: readonly { name: string; identity: string | null }[];
  off: Off;
  announced: readonly Announced[];
};

/**
 * Lines for the person. Refusals always; conditions, problems and what waits when they are new to this session. Throws when the session
 * can't be written: then nobody knows what was told.
 */
export async function tell(
  home: Home,
  session: { host: string; session: string },
  { decided, problems, waiting, off, announced }: Tidings,
): Promise<string[]> {
  const { conditions, person, refusedBy } = decided;
  const lines = new Map([
    ...offLines(off),
    ...problems.map((problem) => [`problem ${problemLine(problem)}`, problemLine(problem)] as const),
    ...askingLine(waiting),
  ]);
  const states = { ...conditions, ...Object.fromEntries([...lines.keys()].map((name) => [name, "told"])) };
  const news = await newsOf(home, session, states);
  const refusals = await countRefusals(home, session, refusedBy?.handler);
  return [
    ...person,
    ...(refusedBy === undefined ? [] : wayOut(refusals, refusedBy)),
    ...allConditions(conditions, news),
    ...news.flatMap((name) => lines.get(name) ?? []),
    ...announcements(announced),
  ];
}

/** Everything, for want of a session. */
export function tellAll({ decided, problems, off }: Pick<Tidings, "decided" | "problems" | "off">): string[] {
  return [
    ...decided.person,
    ...offLines(off).values(),
    ...allConditions(decided.conditions),
    ...problems.map(problemLine),
  ];
}
