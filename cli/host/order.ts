import { type OrderView, orderView, REAL_OUTSIDE } from "@hookpkg/runtime";
import { type CommandData, EXIT, foldEvent } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { problemText } from "../trust/broken.ts";
import { orderLines, orderWaits } from "../trust/order-page.ts";
import { pageLines } from "../trust/page.ts";
import { openTrust } from "../trust/project-trust.ts";

/** The chains as they are walked: who comes when, of which tier, moved by whom; and what cannot be ordered. Exit 3 while an order waits. */
export async function run(call: Call): Promise<Done<CommandData["order"]>> {
  const event = eventOf(call);
  const { home, place } = await openTrust(call);
  const view = await orderView(home, place, REAL_OUTSIDE);
  const events = view.events.filter((one) => event === undefined || one.event === event);
  const waiting = orderWaits(view.change);
  return {
    data: {
      events,
      waiting: waiting === undefined ? null : { digest: waiting.digest, events: waiting.events },
      problems: view.problems,
    },
    lines: [
      ...(events.length === 0 ? ["no approved handler reacts here"] : events.flatMap(chainLines)),
      ...orderLines(waiting),
      ...view.problems.flatMap((problem) => pageLines(`problem: ${problemText(problem)}`)),
    ],
    ...(waiting === undefined ? {} : { exit: EXIT.waits }),
  };
}

function eventOf({ args }: Call): string | undefined {
  const [word, ...more] = args;
  const event = word === undefined ? undefined : foldEvent(word);
  if (more.length > 0 || (word !== undefined && event === undefined))
    throw refuse("E_USAGE", { found: args.join(" ").slice(0, 200), expected: "one event, such as PreToolUse" });
  return event;
}

function chainLines({ event, chain }: OrderView["events"][number]): string[] {
  let place = 0;
  return [
    event,
    ...chain.flatMap(({ handler, tier, state, why, off }) => [
      ...pageLines(
        off === undefined
          ? `${++place}. ${handler} (${tier}, ${state})`
          : `–  ${handler} (${tier}): not asked [${off}]`,
        "  ",
      ),
      ...why.flatMap((reason) => pageLines(reason, "      ")),
    ]),
  ];
}
