import type { EventName, HandlerName, Identity } from "@hookpkg/spec";
import type { Approved, Gated } from "./runnable.ts";

/** One handler that would be asked now: it runs, or `why` it does not. A held one refuses what it guards, a bypassed one is passed. */
export type Listed = {
  handler: HandlerName;
  /** Null when the approvals cannot be read. */
  identity: Identity | null;
  event: EventName;
  runs: Gated["kind"];
  state?: Approved["state"];
  failMode?: "open" | "closed";
  why?: string;
};

/** How a program is told who stands here. */
export function listed(gated: Gated): Listed {
  const { name: handler, identity, kind: runs } = gated;
  if (gated.kind !== "runnable") return { handler, identity, event: gated.event, runs, why: gated.why };
  const { event, failMode } = gated.normalForm;
  return { handler, identity, event, runs, state: gated.state, failMode };
}
