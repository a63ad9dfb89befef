import type { PrivateKey } from "@hookpkg/signing";
import type { Approval, ProjectApprovals } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { approvalsLock, type ProjectSet, readApprovals, writeApprovals } from "../person/approvals.ts";
import { readApprovers } from "../person/approvers.ts";
import { guardsOf, markClosedAnywhere, readClosed, writeClosed } from "../person/closed.ts";
import { withLock } from "../person/file-lock.ts";
import { readProjects, USER } from "../person/projects.ts";
import { liveSessions } from "../person/sessions.ts";
import { type Place, placeId } from "./proposals.ts";

/** How a decision came about; `at` is RFC 3339. */
export type Note = { how: Approval["how"]; by: string; at: string };
export type Signing = { signer: PrivateKey; outside: Outside };

/**
 * Reads, changes, signs and writes what is approved in one place, under one lock, so that decisions made at the same time are all kept.
 * E_APPROVE_KEY, E_APPROVE_SESSION_LIVE, E_APPROVE_UNREADABLE, E_PROJECT_UNKNOWN; nothing is signed then.
 */
export async function changeApprovals(
  home: Home,
  place: Place,
  { signer, outside }: Signing,
  next: (known: ProjectApprovals) => ProjectApprovals | Promise<ProjectApprovals>,
): Promise<void> {
  checkSigner(home, place, signer, outside);
  await withLock(home, approvalsLock(home), async () => {
    const read = await readApprovals(home);
    if (read.read === "unreadable") throw refuse("E_APPROVE_UNREADABLE", { why: read.why, file: read.file });
    const before = read.read === "signed" ? read.projects : {};
    const id = placeId(place);
    if (place !== USER && !Object.hasOwn(readProjects(home).projects, id))
      throw refuse("E_PROJECT_UNKNOWN", { project: id });
    const changed = await next(before[id] ?? { root: place === USER ? home.base : place.root, entries: {} });
    // An empty set first: from here on "absent" can't mean that a first approval was killed half-way.
    if (read.read === "absent") await writeApprovals(home, before, signer);
    await writeWithGuards(home, id, { before, after: { ...before, [id]: changed } }, signer);
  });
}

function checkSigner(home: Home, place: Place, signer: PrivateKey, outside: Outside): void {
  const listed = readApprovers(home).keys.find((key) => key.public === signer.public && key.id === signer.id);
  if (listed === undefined) throw refuse("E_APPROVE_KEY", { key: signer.id });
  if (listed.kind === "person") return;
  const live = liveSessions(home, place === USER ? undefined : place.id, outside);
  if (live[0]) throw refuse("E_APPROVE_SESSION_LIVE", { host: live[0].host, lastEvent: live[0].lastEvent });
}

/**
 * What a broken runtime goes by is widened before the approvals are written and narrowed after: a kill at any step leaves
 * the old approvals or the new ones, and at least their guards.
 */
async function writeWithGuards(
  home: Home,
  id: string,
  { before, after }: { before: ProjectSet; after: ProjectSet },
  signer: PrivateKey,
): Promise<void> {
  const guards = guardsOf(after[id]);
  writeClosed(home, id, [...(readClosed(home, id) ?? guardsOf(before[id])), ...guards]);
  markClosedAnywhere(home, [...Object.values(before), ...Object.values(after)].flatMap(guardsOf));
  await writeApprovals(home, after, signer);
  writeClosed(home, id, guards, after[id]?.safeMode !== undefined);
  markClosedAnywhere(home, Object.values(after).flatMap(guardsOf));
}
