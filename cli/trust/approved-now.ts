import type { HandlerView } from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { askingHosts, attachedHosts, neverAsked, reachLines, reachOfView } from "../host/reach.ts";
import { unreadableApprovals } from "./broken.ts";
import { ORDER, orderWaits, waitingLines } from "./order-page.ts";
import { adviceLines, pageLines } from "./page.ts";
import { lookAt, type ProjectTrust, waitingIn } from "./project-trust.ts";
import type { Recorded } from "./record.ts";

export type Approved = Done<CommandData["approve"]>;

/** What was decided now, who will ask what was approved, and what waits still: looked at anew. */
export async function approvedNow(
  call: Call,
  { home, place }: ProjectTrust,
  recorded: Recorded,
  dropped: readonly string[] = [],
): Promise<Approved> {
  const { view } = await lookAt(home, place.root);
  const waiting = [...waitingIn(view).map(({ name }) => name), ...(orderWaits(view.order) ? [ORDER] : [])];
  const hosts = recorded.approved.length === 0 ? [] : await attachedHosts(call, home, place.root);
  const approved = view.handlers.filter(({ name }) => recorded.approved.includes(name));
  const reach = new Map(approved.map((one) => [one.name, reachOfView(hosts, one)] as const));
  const { attached, lines: nobody } = askingHosts(hosts);
  const isNever = [...reach.values()].some(neverAsked);
  const said = [...recorded.rejected.map((name) => `rejected: ${name}`), ...dropped.map((name) => `dropped: ${name}`)];
  const broken = await unreadableApprovals(home);
  const rest = [...broken.flatMap(({ text, command = "" }) => adviceLines(text, command)), ...waitingLines(view)];
  return {
    data: { ...recorded, waiting, ...(reach.size === 0 ? {} : { attached, reach: Object.fromEntries(reach) }) },
    lines: [
      ...recorded.approved.flatMap((name) => [
        ...pageLines(`approved: ${name}`),
        ...reachLines(reach.get(name as HandlerView["name"]) ?? []), // the order of hooks is no handler, and reaches none
      ]),
      ...(reach.size === 0 ? [] : nobody),
      ...said.flatMap((line) => pageLines(line)),
      ...rest,
      ...nothingWaits(rest, broken),
    ],
    exit: broken.length > 0 || isNever ? EXIT.failed : EXIT.ok,
  };
}

/** Only where it is known: approvals that cannot be read may wait for anything. */
export function nothingWaits(lines: readonly string[], broken: readonly unknown[]): string[] {
  return lines.length + broken.length === 0 ? ["nothing waits for approval"] : [];
}
