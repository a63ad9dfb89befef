import { orderHandlers } from "../chain/order.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { approvedSet } from "./approved-set.ts";
import { gate, refused } from "./gate.ts";
import type { Place } from "./proposals.ts";
import type { Gated } from "./runnable.ts";

/**
 * Every handler that would be asked in these projects (outermost first) now, whatever the event, in the order of the chain: with its
 * hashed bytes, held, or bypassed. What the person switched off is not there.
 */
export async function standing(home: Home, places: readonly Place[], outside: Outside): Promise<Gated[]> {
  const set = await approvedSet(home, places, outside);
  const { order, off } = orderHandlers(set.handlers, new Set(set.off.map(({ handler }) => handler.name)));
  return [...set.held, ...off.map((handler) => refused(handler, "E_CHAIN_OFF")), ...(await gate(home, order))];
}
