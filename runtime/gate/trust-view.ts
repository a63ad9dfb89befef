import { isFault } from "@hookpkg/fault";
import { type Approval, compareVersions, type HandlerName, type Identity, type TrustState } from "@hookpkg/spec";
import { orderHandlers } from "../chain/order.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { readApprovals } from "../person/approvals.ts";
import { approvedSet, splitName } from "./approved-set.ts";
import { gate, refused } from "./gate.ts";
import { LOST } from "./lost-guards.ts";
import { type Place, type Proposal, placeId, readProposals } from "./proposals.ts";
import { type OrderChange, orderChange, proposedOrder } from "./proposed-order.ts";
import { type Approved, type Gated, type GateProblem, type Held, UNKNOWN_IDENTITY } from "./runnable.ts";
import { readStoredPackage, versionOf } from "./stored-package.ts";

/** What is proposed in the place of an approved handler. */
export type ChangeKind = "changed" | "older" | "renamed" | "dropped" | "options";

/** One handler as a person sees it. `identity` is what runs, else what is proposed. */
export type HandlerView = {
  name: HandlerName;
  source: string;
  identity: Identity;
  state: TrustState | "rejected" | "disabled";
  /** The recorded consent, also when it is not what runs. */
  approved?: Approval;
  /** What the lock, folder and options propose, when that is something else than what was approved. */
  proposed?: Proposal;
  change?: ChangeKind;
  /** The proposal was rejected: it is not asked about again. */
  rejected?: true;
  /** Why it does not run as it should: a code. */
  why?: string;
};

export type TrustView = {
  handlers: readonly HandlerView[];
  /** Another order is proposed than the approved one, which goes on. */
  order?: OrderChange;
  /** Nothing of this project runs but what is managed, until the person undoes it; `at` is when they said so. */
  safeMode?: { at: string };
  problems: readonly GateProblem[];
};

/** Whether a person is asked about it. */
export function isWaiting(view: HandlerView): boolean {
  return view.state === "untrusted" || view.state === "modified";
}

/**
 * Every handler that is managed, approved or proposed in one place (a project, or "user"), each in one of the states of trust
 * with its bytes looked at now. Nothing is changed by looking.
 */
export async function trustView(home: Home, place: Place, outside: Outside): Promise<TrustView> {
  const [set, read, proposed] = await Promise.all([
    approvedSet(home, [place], outside),
    readApprovals(home),
    readProposals(home, place),
  ]);
  const approvals = read.read === "signed" ? read.projects[placeId(place)] : undefined;
  const entries = approvals?.entries ?? {};
  const mine = set.handlers.filter((handler) => handler.project === placeId(place) || handler.state === "managed");
  const ordered = orderHandlers(set.handlers, new Set(set.off.map(({ handler }) => handler.name)));
  const isOff = (handler: Approved) => ordered.off.includes(handler);
  const looked = [
    ...(await gate(
      home,
      mine.filter((handler) => !isOff(handler)),
    )),
    ...mine.filter(isOff).map((handler) => refused(handler, "E_CHAIN_OFF")),
  ];
  const gated = new Map(looked.map((found) => [keyOf(found), found]));
  const safeMode = approvals?.safeMode;
  const { proposals, known: isLockKnown } = proposed;
  const context: Context = { home, entries, proposals, known: isLockKnown, gated, isSafe: safeMode !== undefined };
  const managed = mine.filter((handler) => handler.state === "managed").map((handler) => managedView(handler, gated));
  const taken = new Set(managed.map(keyOf));
  const approved: HandlerView[] = [];
  for (const [name, entry] of Object.entries(entries))
    if (entry.decided !== "rejected" && !taken.has(`${name} ${entry.identity}`))
      approved.push(await approvedView(name, entry, context));
  const known = new Set([...approved, ...managed].map((view) => view.name));
  const held = [...new Map(set.held.map((each) => [each.name, heldView(each, proposed.proposals)])).values()].filter(
    (view) => !known.has(view.name),
  );
  const names = new Set([...known, ...held.map((view) => view.name)]);
  const order = proposed.known ? orderChange(approvals, proposedOrder(proposed.order, approvals).names) : undefined;
  const fresh = proposed.proposals.filter(({ name }) => !names.has(name)).map((each) => freshView(each, context));
  return {
    handlers: [...managed, ...held, ...renamed(approved, fresh), ...fresh],
    ...(order === undefined ? {} : { order }),
    ...(safeMode === undefined ? {} : { safeMode: { at: safeMode.at } }),
    problems: [...set.problems, ...ordered.problems, ...proposed.problems],
  };
}

type Context = {
  home: Home;
  entries: Readonly<Record<string, Approval>>;
  proposals: readonly Proposal[];
  known: boolean;
  gated: ReadonlyMap<string, Gated>;
  isSafe: boolean;
};

function keyOf({ name, identity }: { name: string; identity: Identity | null }): string {
  return `${name} ${identity}`;
}

function managedView(handler: Approved, gated: Context["gated"]): HandlerView {
  const { name, source, identity } = handler;
  const found = gated.get(keyOf(handler));
  if (found && found.kind !== "runnable") return { name, source, identity, state: "held", why: found.why };
  return { name, source, identity, state: "managed" };
}

async function approvedView(name: string, entry: Approval, context: Context): Promise<HandlerView> {
  const [source, id] = splitName(name);
  const view = { name: `${source}#${id}` as const, source, identity: entry.identity, approved: entry };
  if (entry.decided === "disabled") return { ...view, state: "disabled", why: "E_GATE_DISABLED" };
  if (context.isSafe) return { ...view, state: "disabled", why: "E_GATE_SAFE_MODE" };
  const found = context.gated.get(keyOf(view));
  const why = found === undefined || found.kind === "runnable" ? {} : { why: found.why };
  const proposed = context.proposals.find((proposal) => proposal.name === name);
  const change = await changeOf(entry, proposed, context);
  const seen = { ...view, ...why, ...(change && proposed ? { proposed } : {}) };
  const rejected = change !== undefined && proposed !== undefined && isRejected(context.entries, proposed);
  // Held says what happens to the action; that something else waits too is still shown.
  if (found?.kind === "held") return { ...seen, state: "held", ...(change ? { change } : {}) };
  if (change === undefined) return { ...seen, state: "trusted" };
  return rejected ? { ...seen, state: "trusted", change, rejected: true } : { ...seen, state: "modified", change };
}

async function changeOf(
  entry: Approval,
  proposed: Proposal | undefined,
  context: Context,
): Promise<ChangeKind | undefined> {
  if (proposed === undefined) return context.known ? "dropped" : undefined;
  if (proposed.identity === entry.identity) {
    if (!proposed.readable) return undefined;
    return proposed.options.digest === entry.options.digest ? undefined : "options";
  }
  if (proposed.identity === entry.supersedes) return "older";
  const before = await storedVersion(context.home, entry);
  return before !== undefined && compareVersions(proposed.version, before) < 0 ? "older" : "changed";
}

async function storedVersion(home: Home, entry: Approval): Promise<string | undefined> {
  try {
    return versionOf((await readStoredPackage(home.store, entry.tree)).spec);
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

function freshView(proposal: Proposal, { entries }: Context): HandlerView {
  const { name, source, identity } = proposal;
  const why = proposal.readable ? {} : { why: proposal.why };
  const isKnown = isRejected(entries, proposal);
  return { name, source, identity, state: isKnown ? "rejected" : "untrusted", proposed: proposal, ...why };
}

/** A rejection is kept beside the approval that it did not replace. */
function isRejected(entries: Context["entries"], { name, identity, ...rest }: Proposal): boolean {
  const rejection = entries[rejectionKey(name, identity)];
  const digest = rest.readable ? rest.options.digest : undefined;
  return rejection?.decided === "rejected" && (digest === undefined || rejection.options.digest === digest);
}

export function rejectionKey(name: HandlerName, identity: Identity): string {
  return `${name}@${identity}`;
}

/** One that the approvals don't know can be approved anew, where it is still proposed. */
function heldView({ name, identity, why }: Held, proposals: readonly Proposal[]): HandlerView {
  const view = {
    name,
    source: splitName(name)[0],
    identity: identity ?? UNKNOWN_IDENTITY,
    state: "held",
    why,
  } as const;
  const proposed = why === LOST ? proposals.find((each) => each.name === name) : undefined;
  return proposed === undefined ? view : { ...view, proposed, change: "changed" };
}

/** The same handler under another name is one thing to decide, not two. */
function renamed(approved: readonly HandlerView[], fresh: readonly HandlerView[]): HandlerView[] {
  return approved.map((view) => {
    const twin = fresh.find((each) => each.source === view.source && each.identity === view.identity);
    return view.change === "dropped" && twin?.proposed ? { ...view, change: "renamed", proposed: twin.proposed } : view;
  });
}
