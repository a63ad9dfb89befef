import type { Sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { type Place, readProposals } from "./proposals.ts";
import { orderChange, proposedOrder, reordered } from "./proposed-order.ts";
import { changeApprovals, type Note, type Signing } from "./signed-change.ts";

/**
 * Records a decision about the order that a project proposes, named by the digest that a person was shown: another one by now is
 * E_APPROVE_ORDER. Rejected, the approved order goes on and nobody is asked about this one again.
 */
export async function approveOrder(
  home: Home,
  place: Place,
  { digest, decided }: { digest: Sha256; decided: "approved" | "rejected" },
  { note, ...signing }: Signing & { note: Note },
): Promise<void> {
  await changeApprovals(home, place, signing, async (known) => {
    const { order } = await readProposals(home, place);
    const { names } = proposedOrder(order, known);
    const found = orderChange(known, names);
    if (found?.digest !== digest)
      throw refuse("E_APPROVE_ORDER", { digest, ...(found ? { found: found.digest } : {}) });
    const orderDecided = { digest, decided, ...note };
    if (decided === "rejected") return { ...known, orderDecided };
    return { ...known, order: reordered(known, names), orderDecided };
  });
}
