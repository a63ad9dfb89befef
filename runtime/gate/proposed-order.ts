import {
  canonicalBytes,
  type EventName,
  foldEvent,
  type HandlerName,
  type ProjectApprovals,
  type Sha256,
  sha256,
} from "@hookpkg/spec";

/** A handler that is proposed; its event is not known when its package can't be read. */
export type Named = { name: HandlerName; source: string; event: EventName | undefined };

/** Handlers as files name them, and what the project file's `order` wishes for some events. */
export type OrderWish = { handlers: readonly Named[]; wish: Readonly<Record<string, readonly string[]>> };

/** `dead`: names in the project file's order that nothing in the lock has at that event. */
export type ProposedOrder = {
  names: readonly HandlerName[];
  dead: readonly { event: string; name: string }[];
};

/** What is proposed in the place of the approved order, of handlers that are in both. `digest` names exactly that. */
export type OrderChange = {
  events: readonly { event: string; before: readonly string[]; after: readonly string[] }[];
  digest: Sha256;
  /** It was rejected: it is not asked about again. */
  rejected?: true;
};

/**
 * The source order that a project proposes: its packages as the lock has them, those of one package as they were approved; at an event that
 * the project file's `order` names, those named there come first, in that order. A name is a handler's or a package's; a trailing `?` lets
 * it be absent.
 */
export function proposedOrder(
  { handlers: found, wish }: OrderWish,
  approvals: ProjectApprovals | undefined,
): ProposedOrder {
  const handlers = inApprovedPlaces(found, approvals === undefined ? [] : approvedOrder(approvals));
  const names = handlers.map(({ name }) => name);
  const dead: { event: string; name: string }[] = [];
  for (const [spelling, wished] of Object.entries(wish)) {
    const event = foldEvent(spelling);
    const here = handlers.filter((each) => event !== undefined && each.event === event);
    const first = wished.flatMap((name) => {
      const plain = name.replace(/\?$/, "");
      const found = here.filter((each) => isMeant(each, plain));
      const isUnknown = handlers.some((each) => each.event === undefined && isMeant(each, plain));
      if (found.length === 0 && plain === name && !isUnknown) dead.push({ event: spelling, name });
      return found;
    });
    const ordered = [...new Set([...first, ...here])].map((each) => each.name);
    const places = here.map((each) => names.indexOf(each.name)).sort((a, b) => a - b);
    for (const [n, name] of ordered.entries()) names[places[n] ?? names.length] = name; // as many places as names
  }
  return { names, dead };
}

/** The lock names a package's handlers in no order, and an identity knows none: it is fixed by the approval. New ones keep their places. */
function inApprovedPlaces(handlers: readonly Named[], approved: readonly string[]): Named[] {
  const left = new Map<string, Named[]>();
  for (const each of handlers.filter(({ name }) => approved.includes(name)))
    left.set(each.source, [...(left.get(each.source) ?? []), each]);
  for (const known of left.values()) known.sort((a, b) => approved.indexOf(a.name) - approved.indexOf(b.name));
  return handlers.map((each) => (approved.includes(each.name) ? (left.get(each.source)?.shift() ?? each) : each));
}

/** Undefined when every event's handlers stand in the approved order. */
export function orderChange(
  approvals: ProjectApprovals | undefined,
  proposed: readonly HandlerName[],
): OrderChange | undefined {
  if (approvals === undefined) return undefined;
  const before = approvedOrder(approvals).filter((name) => proposed.some((each) => each === name));
  const after = proposed.filter((name) => before.includes(name));
  const eventOf = (name: string) => approvals.entries[name]?.normalForm.event;
  const events = [...new Set(before.map(eventOf))]
    .map((event) => ({
      event: `${event}`,
      before: before.filter((name) => eventOf(name) === event),
      after: after.filter((name) => eventOf(name) === event),
    }))
    .filter((each) => !Bun.deepEquals(each.before, each.after));
  if (events.length === 0) return undefined;
  const digest = sha256(canonicalBytes(events.map(({ event, after: names }) => [event, ...names])));
  const { orderDecided } = approvals;
  const isRejected = orderDecided?.decided === "rejected" && orderDecided.digest === digest;
  return { events, digest, ...(isRejected ? { rejected: true } : {}) };
}

/** The approved order with the proposed one laid over it: what is in one of them only keeps its place. */
export function reordered(approvals: ProjectApprovals, proposed: readonly HandlerName[]): string[] {
  const order = approvedOrder(approvals);
  const after = proposed.filter((name) => order.includes(name));
  return order.map((name) => (proposed.some((each) => each === name) ? (after.shift() ?? name) : name));
}

/** Names of what is approved, switched off or not, in the order of the chain. */
export function approvedOrder({ order = [], entries }: ProjectApprovals): string[] {
  const names = Object.keys(entries).filter((name) => entries[name]?.decided !== "rejected");
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.sort((a, b) => place(a) - place(b));
}

function isMeant({ name, source }: Named, wished: string): boolean {
  return name === wished || source === wished;
}
