import type { PrivateKey } from "@hookpkg/signing";
import type { Approval, ProjectApprovals } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { approvalsLock, type ProjectSet, readApprovals, writeApprovals } from "../person/approvals.ts";
import { markSigned, readApprovers } from "../person/approvers.ts";
import { guardsOf, markClosedAnywhere, readClosed, writeClosed } from "../person/closed.ts";
import { withLock } from "../person/file-lock.ts";
import { readProjects, USER } from "../person/projects.ts";
import { liveSessions } from "../person/sessions.ts";
import { strayIds, undecidedGuards } from "./lost-guards.ts";
import { type Place, placeId } from "./proposals.ts";

/** How a decision came about; `at` is RFC 3339. */
export type Note = { how: Approval["how"]; by: string; at: string };
export type Signing = { signer: PrivateKey; outside: Outside };
/** `letGo`: handlers that stop guarding by this, whether the approvals know them or not. */
type Changing = Signing & { letGo?: readonly string[] };

/**
 * Reads, changes, signs and writes what is approved in one place, under one lock, so that decisions made at the same time are all kept.
 * E_APPROVE_KEY, E_APPROVE_SESSION_LIVE, E_APPROVE_UNREADABLE, E_PROJECT_UNKNOWN; nothing is signed then.
 */
export async function changeApprovals(
  home: Home,
  place: Place,
  { signer, outside, letGo = [] }: Changing,
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
    await writeWithGuards(home, id, { before, after: { ...before, [id]: changed }, letGo }, signer);
    await markSigned(home);
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
  { before, after, letGo }: { before: ProjectSet; after: ProjectSet; letGo: readonly string[] },
  signer: PrivateKey,
): Promise<void> {
  const guards = guardsOf(after[id]);
  const recorded = readClosed(home, id) ?? guardsOf(before[id]);
  const undecided = undecidedGuards(recorded, { before: before[id], after: after[id], let: letGo });
  writeClosed(home, id, [...recorded, ...guards]);
  markClosedAnywhere(home, [...recorded, ...[...Object.values(before), ...Object.values(after)].flatMap(guardsOf)]);
  await writeApprovals(home, after, signer);
  writeClosed(home, id, [...undecided, ...guards], after[id]?.safeMode !== undefined);
  if (letGo.length > 0) letGoOfStrays(home, letGo);
  markClosedAnywhere(home, [...undecided, ...Object.values(after).flatMap(guardsOf)]);
}

function letGoOfStrays(home: Home, letGo: readonly string[]): void {
  for (const id of strayIds(home)) {
    const guards = readClosed(home, id) ?? [];
    const left = guards.filter(({ handler }) => !letGo.includes(handler));
    if (left.length < guards.length) writeClosed(home, id, left);
  }
}
