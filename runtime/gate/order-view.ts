import type { EventName, HandlerName } from "@hookpkg/spec";
import { orderHandlers, reasonsFor } from "../chain/order.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { type ApprovedSet, approvedSet } from "./approved-set.ts";
import type { Place } from "./proposals.ts";
import type { OrderChange } from "./proposed-order.ts";
import type { Approved, GateProblem, Tier } from "./runnable.ts";
import { trustView } from "./trust-view.ts";

/** One handler in the chain of its event. `why`: what moved it from its place in source order; `off`: a code, it is not asked. */
export type Placed = {
  handler: HandlerName;
  tier: Tier;
  state: Approved["state"];
  why: readonly string[];
  off?: string;
};
export type OrderView = {
  events: readonly { event: EventName; chain: readonly Placed[] }[];
  change?: OrderChange;
  problems: readonly GateProblem[];
};

/** The chains of a project as they are walked now, event by event; those that are off stand last. Looking changes nothing. */
export async function orderView(home: Home, place: Place, outside: Outside): Promise<OrderView> {
  const [set, { order: change, problems }] = await Promise.all([
    approvedSet(home, [place], outside),
    trustView(home, place, outside),
  ]);
  const all = placedIn(set);
  const events = [...new Set(all.map(({ event }) => event))].sort();
  return {
    events: events.map((event) => ({
      event,
      chain: all.filter((each) => each.event === event).map(({ event: _, ...placed }) => placed),
    })),
    ...(change === undefined ? {} : { change }),
    problems,
  };
}

function placedIn(set: ApprovedSet): (Placed & { event: EventName })[] {
  const { order, off } = orderHandlers(set.handlers, new Set(set.off.map(({ handler }) => handler.name)));
  const placed = (handler: Approved, code?: string) => ({
    ...{ event: handler.normalForm.event, handler: handler.name, tier: handler.tier, state: handler.state },
    why: code === undefined ? reasonsFor(handler, set.handlers) : [],
    ...(code === undefined ? {} : { off: code }),
  });
  return [
    ...order.map((handler) => placed(handler)),
    ...off.map((handler) => placed(handler, "E_CHAIN_OFF")),
    ...set.off.map(({ handler, why }) => placed(handler, why)),
  ];
}
