import type { Payload } from "@hookpkg/spec";
import { orderHandlers } from "../chain/order.ts";
import { selectFor } from "../chain/select.ts";
import type { Home } from "../home.ts";
import type { ApprovedSet, SwitchedOff } from "./approved-set.ts";
import { gate, refused } from "./gate.ts";
import type { Approved, Gated, GateProblem } from "./runnable.ts";

/** `apart`: handlers of this event that were considered and have no part in it. */
export type Stations = { stations: Gated[]; apart: readonly Apart[]; problems: readonly GateProblem[] };
/** Its matcher does not fit, or the person switched it off. */
export type Apart = { handler: Approved } & ({ matched: false } | { matched: true; why: SwitchedOff["why"] });

/**
 * The handlers that one event concerns, in the order of the chain, each with its hashed bytes or the reason why not. Only their
 * bytes are read. Managed ones stand first: nothing that is wrong below them keeps them from being asked.
 */
export async function stationsOf(
  home: Home,
  approved: ApprovedSet,
  { payload, subjects }: { payload: Payload; subjects: readonly string[] },
): Promise<Stations> {
  const silent = new Set(approved.off.map(({ handler }) => handler.name));
  const { order, off, problems } = orderHandlers(approved.handlers, silent);
  const concerned = selectFor(payload, subjects);
  const isHere = (handler: Approved) => handler.normalForm.event === payload.hook_event_name;
  const ordered = order.filter(concerned.handler);
  const gated = await gate(home, ordered);
  const managed = gated.splice(0, ordered.filter((handler) => handler.tier === "managed").length);
  const held = approved.held.filter(concerned.held);
  const bypassed = off.filter(concerned.handler).map((handler) => refused(handler, "E_CHAIN_OFF"));
  const unmatched = [...order, ...off].filter((handler) => isHere(handler) && !concerned.handler(handler));
  const switchedOff = approved.off.filter(({ handler }) => isHere(handler));
  return {
    stations: [...managed, ...held, ...bypassed, ...gated],
    apart: [
      ...unmatched.map((handler) => ({ handler, matched: false as const })),
      ...switchedOff.map(({ handler, why }) =>
        concerned.handler(handler) ? { handler, matched: true as const, why } : { handler, matched: false as const },
      ),
    ],
    problems: [...approved.problems, ...problems],
  };
}
