import { type CommandData, EXIT } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { nothingWaits } from "./approved-now.ts";
import { unreadableApprovals } from "./broken.ts";
import { handlerLines } from "./list.ts";
import { orderLines, orderWaits } from "./order-page.ts";
import { adviceLines, pageLines } from "./page.ts";
import {
  among,
  askedIdentity,
  dropCommand,
  handlerState,
  isDropped,
  meant,
  type ProjectTrust,
  projectOptions,
  waitingIn,
} from "./project-trust.ts";

/** What waits, with the identities and digests that a script would name. Decides nothing. */
export async function list(call: Call, trust: ProjectTrust): Promise<Done<CommandData["approve --list"]>> {
  const { home, place, view } = trust;
  const waiting = among(waitingIn(view), view, meant(call.args, call.cwd, place.root));
  const broken = await unreadableApprovals(home);
  const order = call.args.length === 0 ? orderWaits(view.order) : undefined;
  const lines = [
    ...waiting.flatMap((one) => [
      ...handlerLines(one, { full: true }),
      ...(isDropped(one)
        ? adviceLines("nothing is proposed in its place; to let it go", dropCommand(one), "    ")
        : pageLines(askedIdentity(one), "    ")),
      ...pageLines(projectOptions(one) ? `with options of this project: ${projectOptions(one)}` : "", "    "),
    ]),
    ...orderLines(order),
  ];
  return {
    data: {
      waiting: waiting.map((one) => {
        const options = projectOptions(one);
        const change = one.change === undefined ? {} : { change: one.change };
        const about = { ...handlerState(one, askedIdentity(one)), ...change, project: place.root };
        return options === undefined ? about : { ...about, options };
      }),
      ...(order === undefined ? {} : { order: { digest: order.digest, events: order.events } }),
    },
    lines: [
      ...broken.flatMap(({ text, command = "" }) => adviceLines(text, command)),
      ...lines,
      ...nothingWaits(lines, broken),
    ],
    exit: broken.length > 0 ? EXIT.failed : lines.length > 0 ? EXIT.waits : EXIT.ok,
  };
}
