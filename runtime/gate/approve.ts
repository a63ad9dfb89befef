import { pack, placeTree } from "@hookpkg/archive";
import type { PrivateKey } from "@hookpkg/signing";
import { type Approval, type HandlerName, type Identity, isLocalKey, type ProjectApprovals } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { approvalsLock, type ProjectSet, readApprovals, writeApprovals } from "../person/approvals.ts";
import { readApprovers } from "../person/approvers.ts";
import { closedIds, guardsOf, markClosedAnywhere, readClosed, writeClosed } from "../person/closed.ts";
import { withLock } from "../person/file-lock.ts";
import { readProjects, USER } from "../person/projects.ts";
import { liveSessions } from "../person/sessions.ts";
import { type Place, type Proposal, placeId, readProposals } from "./proposals.ts";
import { rejectionKey } from "./trust-view.ts";

/** One decision about one proposal, named by what a person was shown. */
export type Wanted = { handler: HandlerName; identity: Identity; decided: "approved" | "rejected" };
/** How a decision came about; `at` is RFC 3339. */
export type Note = { how: Approval["how"]; by: string; at: string };

/**
 * Records decisions about what is proposed in a place, all of them or none. An approval supersedes the earlier one of that
 * handler; a rejection stands beside it, and what was approved goes on. Refuses with E_APPROVE_… and signs nothing then.
 */
export async function approve(
  home: Home,
  place: Place,
  wanted: readonly Wanted[],
  { signer, note, outside }: { signer: PrivateKey; note: Note; outside: Outside },
): Promise<void> {
  checkSigner(home, place, signer, outside);
  await change(home, place, signer, async (known) => {
    const { proposals } = await readProposals(home, place);
    const found = wanted.map(({ handler, identity, decided }) => ({
      decided,
      proposal: proposedAs(proposals, handler, identity),
    }));
    const entries = { ...known.entries };
    for (const { decided, proposal } of found) {
      if (decided === "approved") await keep(home, proposal);
      const key = decided === "approved" ? proposal.name : rejectionKey(proposal.name, proposal.identity);
      entries[key] = entryOf(proposal, decided, note, known.entries[proposal.name]);
      if (decided === "approved") delete entries[rejectionKey(proposal.name, proposal.identity)];
    }
    return { ...known, entries, order: ordered(known, entries, proposals) };
  });
}

/** Consents to the removal of handlers: they stop at the next event, in running sessions too. */
export async function drop(
  home: Home,
  place: Place,
  handlers: readonly HandlerName[],
  { signer, outside }: { signer: PrivateKey; outside: Outside },
): Promise<void> {
  checkSigner(home, place, signer, outside);
  await change(home, place, signer, (known) => {
    for (const handler of handlers)
      if (!Object.hasOwn(known.entries, handler)) throw refuse("E_APPROVE_UNKNOWN", { handler });
    const gone = (name: string) => handlers.some((handler) => name === handler || name.startsWith(`${handler}@hk1:`));
    const entries = Object.fromEntries(Object.entries(known.entries).filter(([name]) => !gone(name)));
    return { ...known, entries, order: (known.order ?? []).filter((name) => !gone(name)) };
  });
}

/** Switches approved handlers off and on again; the consent itself stays. Managed handlers have no such switch. */
export async function disable(
  home: Home,
  place: Place,
  handlers: readonly HandlerName[],
  { signer, note, outside, undo = false }: { signer: PrivateKey; note: Note; outside: Outside; undo?: boolean },
): Promise<void> {
  checkSigner(home, place, signer, outside);
  await change(home, place, signer, (known) => {
    const entries = { ...known.entries };
    for (const handler of handlers) {
      const entry = entries[handler];
      if (entry === undefined) throw refuse("E_APPROVE_UNKNOWN", { handler });
      entries[handler] = { ...entry, decided: undo ? "approved" : "disabled", ...note };
    }
    return { ...known, entries };
  });
}

/**
 * A new, empty set in the place of one that can't be read: every handler must be approved anew, and until then nothing that
 * the old one held is held. Only a person's key can consent to that (E_APPROVE_KEY); a readable set stays as it is.
 */
export async function startOver(home: Home, signer: PrivateKey): Promise<void> {
  const isPersons = readApprovers(home).keys.some((key) => key.public === signer.public && key.kind === "person");
  if (!isPersons) throw refuse("E_APPROVE_KEY", { key: signer.id });
  await withLock(home, approvalsLock(home), async () => {
    if ((await readApprovals(home)).read !== "unreadable") return;
    await writeApprovals(home, {}, signer);
    for (const id of closedIds(home)) writeClosed(home, id, []);
    markClosedAnywhere(home, []);
  });
}

function checkSigner(home: Home, place: Place, signer: PrivateKey, outside: Outside): void {
  const listed = readApprovers(home).keys.find((key) => key.public === signer.public && key.id === signer.id);
  if (listed === undefined) throw refuse("E_APPROVE_KEY", { key: signer.id });
  if (listed.kind === "person") return;
  const live = liveSessions(home, place === USER ? undefined : place.id, outside);
  if (live[0]) throw refuse("E_APPROVE_SESSION_LIVE", { host: live[0].host, lastEvent: live[0].lastEvent });
}

/** Reads, changes, signs and writes under one lock, so that decisions made at the same time are all kept. */
async function change(
  home: Home,
  place: Place,
  signer: PrivateKey,
  next: (known: ProjectApprovals) => ProjectApprovals | Promise<ProjectApprovals>,
): Promise<void> {
  await withLock(home, approvalsLock(home), async () => {
    const read = await readApprovals(home);
    if (read.read === "unreadable") throw refuse("E_APPROVE_UNREADABLE", { why: read.why });
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
  writeClosed(home, id, guards);
  markClosedAnywhere(home, Object.values(after).flatMap(guardsOf));
}

type Readable = Extract<Proposal, { readable: true }>;

function proposedAs(proposals: readonly Proposal[], handler: HandlerName, identity: Identity): Readable {
  const found = proposals.find((proposal) => proposal.name === handler && proposal.identity === identity);
  if (found?.readable) return found;
  throw refuse("E_APPROVE_UNKNOWN", { handler, identity, ...(found ? { why: found.why } : {}) });
}

/** A local package's bytes go into the store: from here on they run from there, whatever becomes of the folder. */
async function keep(home: Home, proposal: Readable): Promise<void> {
  if (isLocalKey(proposal.source)) await placeTree(home.store, pack(proposal.package.files));
}

function entryOf(proposal: Readable, decided: Wanted["decided"], note: Note, before: Approval | undefined): Approval {
  const supersedes = before?.identity === proposal.identity ? before.supersedes : before?.identity;
  return {
    identity: proposal.identity,
    normalForm: proposal.normalForm as Approval["normalForm"], // its lists are only read
    tree: proposal.package.tree,
    options: {
      values: proposal.options.values as Approval["options"]["values"], // the same
      digest: proposal.options.digest,
    },
    source: proposal.source,
    decided,
    ...note,
    ...(supersedes === undefined || decided === "rejected" ? {} : { supersedes }),
  };
}

/** The approved order stays; a new handler comes after the one that precedes it in the lock, else first. */
function ordered(
  known: ProjectApprovals,
  entries: ProjectApprovals["entries"],
  proposals: readonly Proposal[],
): string[] {
  const order = [...(known.order ?? Object.keys(known.entries))].filter(
    (name) => entries[name]?.decided === "approved",
  );
  proposals.forEach(({ name }, n) => {
    if (entries[name]?.decided !== "approved" || order.includes(name)) return;
    const before = proposals.slice(0, n).findLast((each) => order.includes(each.name));
    order.splice(before === undefined ? 0 : order.indexOf(before.name) + 1, 0, name);
  });
  return order;
}
