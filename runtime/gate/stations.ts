import type { Payload } from "@hookpkg/spec";
import { orderHandlers } from "../chain/order.ts";
import { selectFor } from "../chain/select.ts";
import type { Home } from "../home.ts";
import type { ApprovedSet } from "./approved-set.ts";
import { gate, refused } from "./gate.ts";
import type { Gated, GateProblem } from "./runnable.ts";

/**
 * The handlers that one event concerns, in the order of the chain, each with its hashed bytes or the reason why not. Only their
 * bytes are read. Managed ones stand first: nothing that is wrong below them keeps them from being asked.
 */
export async function stationsOf(
  home: Home,
  approved: ApprovedSet,
  { payload, subjects }: { payload: Payload; subjects: readonly string[] },
): Promise<{ stations: Gated[]; problems: readonly GateProblem[] }> {
  const { order, off, problems } = orderHandlers(approved.handlers, approved.silent);
  const concerned = selectFor(payload, subjects);
  const ordered = order.filter(concerned.handler);
  const gated = await gate(home, ordered);
  const managed = gated.splice(0, ordered.filter((handler) => handler.tier === "managed").length);
  const held = approved.held.filter(concerned.held);
  const bypassed = off.filter(concerned.handler).map((handler) => refused(handler, "E_CHAIN_OFF"));
  return { stations: [...managed, ...held, ...bypassed, ...gated], problems: [...approved.problems, ...problems] };
}
