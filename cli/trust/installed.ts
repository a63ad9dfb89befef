import type { Home } from "@hookpkg/runtime";
import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { type AttachedHost, askingHosts, attachedHosts, neverAsked, reachLines, reachOfView } from "../host/reach.ts";
import { staysDone } from "../prompt.ts";
import { approvalView } from "./approval-view.ts";
import { insideHost } from "./inside-host.ts";
import { handlerLines, packageLine, packagesOf } from "./list.ts";
import { anyWaits, waitingLines } from "./order-page.ts";
import { pageLines } from "./page.ts";
import { askedIdentity, lookAt, type ProjectTrust } from "./project-trust.ts";

/**
 * How an install ends: what is there now, what waits, and at a terminal the approval view, where Enter means later. `changedKeys`:
 * the packages this install was about; none of them means all. Exit 3 while something waits, 1
 * when no attached host would ever ask one of them.
 */
export async function installedPackages(
  call: Call,
  home: Home,
  root: string,
  changedKeys: readonly string[],
): Promise<Done<CommandData["install"]>> {
  let trust = await lookAt(home, root);
  if (anyWaits(trust.view) && canAsk(call, home)) {
    staysDone("the packages are in the lock");
    await approvalView(call, trust, []);
    trust = await lookAt(home, root);
  }
  return doneWith(trust, changedKeys, await attachedHosts(call, home, root));
}

/** The suggested answer is later, so `--yes` asks nothing; inside an agent's host nobody is asked either. */
function canAsk(call: Call, home: Home): boolean {
  return (
    call.terminal.interactive &&
    !call.flags.on("yes") &&
    !call.flags.on("quiet") &&
    insideHost(call, home) === undefined
  );
}

function doneWith(
  trust: ProjectTrust,
  changedKeys: readonly string[],
  hosts: readonly AttachedHost[],
): Done<CommandData["install"]> {
  const all = packagesOf(trust);
  const meant = changedKeys.length === 0 ? all : all.filter(({ name }) => changedKeys.includes(name));
  const views = (name: string) => trust.view.handlers.filter(({ source }) => source === name);
  const packages = meant.map((one) => ({
    ...one,
    handlers: views(one.name).map((view) => ({
      ...{ handler: view.name, identity: askedIdentity(view), state: view.state },
      reach: reachOfView(hosts, view),
    })),
  }));
  const isNever = packages.some(({ handlers }) => handlers.some(({ reach }) => neverAsked(reach)));
  const { attached, lines: nobody } = askingHosts(hosts);
  return {
    data: { packages, attached },
    lines: [
      ...packages.flatMap((one) => [
        ...pageLines(packageLine(one)),
        ...views(one.name).flatMap((view) => [...handlerLines(view), ...reachLines(reachOfView(hosts, view))]),
      ]),
      ...(packages.some(({ handlers }) => handlers.length > 0) ? nobody : []),
      ...waitingLines(trust.view),
    ],
    ...(anyWaits(trust.view) ? { exit: EXIT.waits } : isNever ? { exit: EXIT.failed } : {}),
  };
}
