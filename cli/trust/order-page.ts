import type { OrderChange, TrustView } from "@hookpkg/runtime";
import { counted, pageLines } from "./page.ts";
import { waitingIn } from "./project-trust.ts";

/** What the order goes by among the names of handlers. */
export const ORDER = "order";

/** The order that a person is asked about; undefined when none waits, or it was rejected. */
export function orderWaits(change: OrderChange | undefined): OrderChange | undefined {
  return change?.rejected ? undefined : change;
}

/** What would stand where, event by event. */
export function orderLines(change: OrderChange | undefined): string[] {
  if (change === undefined) return [];
  return [
    "another order is proposed; the approved one goes on until you decide",
    ...change.events.flatMap(({ event, before, after }) => [
      ...pageLines(`${event} now: ${before.join(", ")}`, "  "),
      ...pageLines(`${event} then: ${after.join(", ")}`, "  "),
    ]),
    ...pageLines(change.digest, "    "),
  ];
}

/** Whether a person is asked about anything here: handlers, or their order. */
export function anyWaits(view: TrustView): boolean {
  return waitingIn(view).length > 0 || orderWaits(view.order) !== undefined;
}

/** One line that says so; none when nothing waits. */
export function waitingLines(view: TrustView): string[] {
  const handlers = waitingIn(view).length;
  const order = orderWaits(view.order) !== undefined;
  if (handlers === 0) return order ? ["another order waiting for approval: hookpkg approve"] : [];
  return [`${counted(handlers, "handler")}${order ? " and their order" : ""} waiting for approval: hookpkg approve`];
}
