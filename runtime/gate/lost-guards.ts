import { isFault } from "@hookpkg/fault";
import type { HandlerName, ProjectApprovals } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import type { ProjectSet } from "../person/approvals.ts";
import { closedIds, type Guard, guardsOf, isSafeMode, readClosed } from "../person/closed.ts";
import { readProjects, USER } from "../person/projects.ts";
import type { GateProblem, Held } from "./runnable.ts";

export const LOST = "E_APPROVALS_OLDER";

/**
 * Guards on record in `closed/` that readable, signed approvals do not know: somebody put an older copy in their place, or a kill came
 * between. They are held until the person decides about them. Of a project whose place nothing tells any more they are held everywhere.
 */
export function lostGuards(
  home: Home,
  ids: readonly string[],
  signed: ProjectSet,
): { held: Held[]; problems: GateProblem[] } {
  const held = [...new Set([...ids, ...strayIds(home)])].flatMap((project) =>
    lostIn(home, project, Object.hasOwn(signed, project) ? signed[project] : undefined).map(
      ({ handler, event, matcher }): Held => ({
        ...{ kind: "held", name: handler as HandlerName, identity: null, event, matcher, why: LOST, project }, // written by `guardsOf`
      }),
    ),
  );
  const names = [...new Set(held.map(({ name }) => name))];
  return { held, problems: names.map((handler) => ({ code: LOST, facts: { handler } })) };
}

/** Closed files of projects that are on no list any more. */
export function strayIds(home: Home): string[] {
  const { projects } = readProjects(home);
  return closedIds(home).filter((id) => id !== USER && !Object.hasOwn(projects, id));
}

type Change = { before: ProjectApprovals | undefined; after: ProjectApprovals | undefined; let: readonly string[] };

/** What a change of the approvals leaves on record: what nobody decided about stays. `let`: handlers that the person let go. */
export function undecidedGuards(recorded: readonly Guard[], change: Change): Guard[] {
  const known = [...guardsOf(change.before).map(({ handler }) => handler), ...Object.keys(change.after?.entries ?? {})];
  const decided = [...known, ...change.let];
  return recorded.filter(
    ({ handler }) => !decided.some((name) => name === handler || name.startsWith(`${handler}@hk1:`)),
  );
}

function lostIn(home: Home, project: string, approvals: ProjectApprovals | undefined): Guard[] {
  const known = new Set(guardsOf(approvals).map(keyOf));
  if (approvals?.safeMode !== undefined && isSafeMode(home, project)) return [];
  return recordedIn(home, project).filter((guard) => !known.has(keyOf(guard)));
}

/** One that cannot be read says nothing against approvals that can. */
function recordedIn(home: Home, project: string): readonly Guard[] {
  try {
    return readClosed(home, project) ?? [];
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}

function keyOf({ handler, event, matcher }: Guard): string {
  return JSON.stringify([handler, event, matcher]);
}
