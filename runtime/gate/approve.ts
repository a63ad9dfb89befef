import { pack, placeTree } from "@hookpkg/archive";
import type { PrivateKey } from "@hookpkg/signing";
import {
  type Approval,
  type HandlerName,
  type Identity,
  isLocalKey,
  type ProjectApprovals,
  type Sha256,
} from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { isLayer } from "../layers/layer.ts";
import { approvalsLock, readApprovals, writeApprovals } from "../person/approvals.ts";
import { readApprovers } from "../person/approvers.ts";
import { closedIds, markClosedAnywhere, writeClosed } from "../person/closed.ts";
import { withLock } from "../person/file-lock.ts";
import { lostGuards } from "./lost-guards.ts";
import { type Place, type Proposal, placeId, readProposals } from "./proposals.ts";
import { proposedOrder } from "./proposed-order.ts";
import { changeApprovals, type Note, type Signing } from "./signed-change.ts";
import { rejectionKey } from "./trust-view.ts";

/**
 * One decision about one proposal, named by what a person was shown. `options`: digest of the values that they were shown; without it, those
 * that the package and the person's own configuration give. A project's file alone never says with which options a handler is approved.
 */
export type Wanted = {
  handler: HandlerName;
  identity: Identity;
  decided: "approved" | "rejected";
  options?: Sha256 | undefined;
};

/**
 * Records decisions about what is proposed in a place, all of them or none. An approval supersedes the earlier one of that
 * handler; a rejection stands beside it, and what was approved goes on. Refuses with E_APPROVE_… and signs nothing then.
 */
export async function approve(
  home: Home,
  place: Place,
  wanted: readonly Wanted[],
  { note, ...signing }: Signing & { note: Note },
): Promise<void> {
  await changeApprovals(home, place, signing, async (known) => {
    const { proposals, order } = await readProposals(home, place);
    const found = wanted.map((each) => ({ decided: each.decided, proposal: proposedAs(proposals, each) }));
    const entries = { ...known.entries };
    for (const { decided, proposal } of found) {
      if (decided === "approved") await keep(home, proposal);
      const key = decided === "approved" ? proposal.name : rejectionKey(proposal.name, proposal.identity);
      entries[key] = entryOf(proposal, decided, note, known.entries[proposal.name]);
      if (decided === "approved") delete entries[rejectionKey(proposal.name, proposal.identity)];
    }
    return { ...known, entries, order: ordered(known, entries, proposedOrder(order, known).names) };
  });
}

/** Consents to the removal of handlers: they stop at the next event, in running sessions too. */
export async function drop(
  home: Home,
  place: Place,
  handlers: readonly HandlerName[],
  signing: Signing,
): Promise<void> {
  await changeApprovals(home, place, { ...signing, letGo: handlers }, (known) => {
    const lost = lostGuards(home, [placeId(place)], { [placeId(place)]: known }).held;
    for (const handler of handlers)
      if (!Object.hasOwn(known.entries, handler) && !lost.some(({ name }) => name === handler))
        throw refuse("E_APPROVE_UNKNOWN", { handler });
    const gone = (name: string) => handlers.some((handler) => name === handler || name.startsWith(`${handler}@hk1:`));
    const entries = Object.fromEntries(Object.entries(known.entries).filter(([name]) => !gone(name)));
    return { ...known, entries, order: (known.order ?? []).filter((name) => !gone(name)) };
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

type Readable = Extract<Proposal, { readable: true }>;

function proposedAs(proposals: readonly Proposal[], { handler, identity, options }: Wanted): Readable {
  const found = proposals.find((proposal) => proposal.name === handler && proposal.identity === identity);
  if (!found?.readable) throw refuse("E_APPROVE_UNKNOWN", { handler, identity, ...(found ? { why: found.why } : {}) });
  if (found.options.digest !== (options ?? found.ownOptions.digest))
    throw refuse("E_APPROVE_OPTIONS", { handler, options: found.options.digest });
  return found;
}

/** A local package's bytes go into the store: from here on they run from there, whatever becomes of the folder. */
async function keep(home: Home, proposal: Readable): Promise<void> {
  if (isLocalKey(proposal.source) || isLayer(proposal.source))
    await placeTree(home.store, pack(proposal.package.files));
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

/** The approved order stays; a new handler comes after the one that precedes it in the proposed order, else first. */
function ordered(
  known: ProjectApprovals,
  entries: ProjectApprovals["entries"],
  proposed: readonly HandlerName[],
): string[] {
  const isOn = (name: string) => entries[name] !== undefined && entries[name].decided !== "rejected";
  const order = [...(known.order ?? Object.keys(known.entries))].filter(isOn);
  proposed.forEach((name, n) => {
    if (!isOn(name) || order.includes(name)) return;
    const before = proposed.slice(0, n).findLast((each) => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  });
  return order;
}
