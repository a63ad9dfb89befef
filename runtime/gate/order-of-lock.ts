import type { Lock, ProjectFile } from "@hookpkg/spec";
import { orderHandlers } from "../chain/order.ts";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { approvedSet, splitName } from "./approved-set.ts";
import { type Place, type Proposal, placeId, proposalsOf } from "./proposals.ts";
import { proposedOrder } from "./proposed-order.ts";
import type { Approved, GateProblem } from "./runnable.ts";

type Files = { lock: Lock; file: ProjectFile };

/**
 * E_ORDER_CYCLE or E_ORDER_REFERENCE when writing these files would make a chain that cannot be ordered. What today's files have wrong
 * already is not this change's doing: whoever mends it must not be stopped.
 */
export async function refuseUnordered(
  home: Home,
  place: Place,
  { today, tomorrow }: { today: Files; tomorrow: Files },
  outside: Outside,
): Promise<void> {
  const known = await standing(home, place, outside);
  const before = new Set((await problemsOf(home, place, today, known)).map(keyOf));
  const made = (await problemsOf(home, place, tomorrow, known)).find((problem) => !before.has(keyOf(problem)));
  if (made === undefined) return;
  throw refuse(made.code === "E_CHAIN_CYCLE" ? "E_ORDER_CYCLE" : "E_ORDER_REFERENCE", made.facts);
}

/** Names outside the lock that it may refer to: the machine's, and what the person has for all of their projects. */
async function standing(home: Home, place: Place, outside: Outside): Promise<string[]> {
  const set = await approvedSet(home, [place], outside);
  const all = [...set.handlers, ...set.off.map(({ handler }) => handler)];
  return all.filter(({ project }) => project !== placeId(place)).map(({ name }) => name);
}

async function problemsOf(home: Home, place: Place, wishes: Files, known: readonly string[]): Promise<GateProblem[]> {
  const { proposals, order } = await proposalsOf(home, place, wishes);
  const unread = proposals.filter(({ readable }) => !readable).map(({ name }) => name);
  const handlers = proposals.flatMap((each) => (each.readable ? [asApproved(each, place)] : []));
  const dead = proposedOrder(order, undefined).dead.map(({ event, name }) => ({
    code: "E_ORDER_REFERENCE",
    facts: { event, name },
  }));
  return [...orderHandlers(handlers, new Set([...known, ...unread])).problems, ...dead];
}

function asApproved(proposal: Extract<Proposal, { readable: true }>, place: Place): Approved {
  const { name, identity, normalForm, options } = proposal;
  const [source, id] = splitName(name);
  return {
    ...{ name, source, id, identity, normalForm, tier: "package", state: "trusted", tree: proposal.package.tree },
    ...{ options: options.values, project: placeId(place), projectRoot: "/" },
  };
}

function keyOf({ code, facts }: GateProblem): string {
  return JSON.stringify([code, facts]);
}
