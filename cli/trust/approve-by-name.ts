import type { HandlerView } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { type Approved, approvedNow } from "./approved-now.ts";
import { approverKey } from "./approver-key.ts";
import { ORDER, orderWaits } from "./order-page.ts";
import { meant, named, type ProjectTrust, proposedOptions, waitingIn } from "./project-trust.ts";
import { record, recordDrops, recordOrder } from "./record.ts";

/** `--reject` and `--drop`: a no, and consent to a removal, need no page. */
export async function byName(call: Call, trust: ProjectTrust): Promise<Approved> {
  const typed = (flag: string) => meant(call.flags.texts(flag), call.cwd, trust.place.root);
  const words = typed("reject").filter((word) => word !== ORDER);
  const rejects = words.length === 0 ? [] : named(waitingIn(trust.view), words);
  const order = call.flags.texts("reject").includes(ORDER) ? orderWaits(trust.view.order) : undefined;
  for (const { name, proposed } of rejects)
    if (proposed === undefined) throw refuse("E_HANDLER_UNKNOWN", { handler: name, expected: "--drop, or nothing" });
  const drops = typed("drop").length === 0 ? [] : named(approvedIn(trust), typed("drop"));
  const signer = await approverKey(call, trust.home, trust.place.id);
  const decisions = rejects.map((view) => ({ view, decided: "rejected" as const, options: proposedOptions(view) }));
  const recorded = await record(trust.home, trust.place.root, decisions, { signer, how: "terminal" });
  const gone = drops.map(({ name }) => name);
  if (gone.length > 0) await recordDrops(trust.home, trust.place.root, gone, signer);
  if (order === undefined) return approvedNow(call, trust, recorded, gone);
  const decision = { digest: order.digest, decided: "rejected" } as const;
  await recordOrder(trust.home, trust.place.root, decision, { signer, how: "terminal" });
  return approvedNow(call, trust, { ...recorded, rejected: [...recorded.rejected, ORDER] }, gone);
}

function approvedIn({ view }: ProjectTrust): HandlerView[] {
  return view.handlers.filter((one) => one.approved !== undefined || one.why === "E_APPROVALS_OLDER");
}
