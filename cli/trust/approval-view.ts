import type { Sha256 } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { askChoice } from "../prompt.ts";
import { approvalPage } from "./approval-page.ts";
import { approverKey } from "./approver-key.ts";
import { changeIn, type HandlerChange } from "./change.ts";
import { diffLines } from "./diff.ts";
import { refuseInside } from "./inside-host.ts";
import { ORDER, orderLines, orderWaits } from "./order-page.ts";
import { caseRunner } from "./own-cases.ts";
import { replaySaid } from "./own-replay.ts";
import { askable, type ProjectTrust, proposedOptions } from "./project-trust.ts";
import { type Decision, type Recorded, record, recordOrder } from "./record.ts";

/**
 * Shows each waiting handler and asks: Enter means later, nothing means yes. All decisions are signed together at the end, so that
 * Ctrl-C at any moment has changed nothing.
 */
export async function approvalView(call: Call, trust: ProjectTrust, names: readonly string[]): Promise<Recorded> {
  refuseInside(call, trust.home);
  if (call.flags.on("quiet")) throw refuse("E_USAGE", { found: "--quiet", expected: "to show what is approved" });
  const waiting = askable(call, trust, names);
  const casesOf = caseRunner(call);
  const decisions: Decision[] = [];
  for (const [n, view] of waiting.entries()) {
    const change = await changeIn(trust.home, view);
    const cases = change.proposed && (await casesOf(change.proposed));
    const replay = change.proposed && (await replaySaid(call, trust, view));
    show(call, [
      `── ${n + 1} of ${waiting.length} ${"─".repeat(60)}`,
      ...approvalPage(trust, change, { cases, replay }),
    ]);
    const answer = await ask(call, change);
    if (answer === "quit") return decided(call, trust, { decisions, order: undefined });
    if (answer !== "later") decisions.push({ view, decided: answer, options: proposedOptions(view) });
  }
  const order = names.length === 0 ? await askOrder(call, trust) : undefined;
  return decided(call, trust, { decisions, order });
}

type OrderDecision = { digest: Sha256; decided: "approved" | "rejected" };

async function decided(
  call: Call,
  { home, place }: ProjectTrust,
  { decisions, order }: { decisions: readonly Decision[]; order: OrderDecision | undefined },
): Promise<Recorded> {
  if (decisions.length === 0 && order === undefined) return { approved: [], rejected: [] };
  const signing = { signer: await approverKey(call, home, place.id), how: "terminal" } as const;
  const recorded = await record(home, place.root, decisions, signing);
  if (order === undefined) return recorded;
  await recordOrder(home, place.root, order, signing);
  return { ...recorded, [order.decided]: [...recorded[order.decided], ORDER] };
}

/** The order that the project proposes, after its handlers: only what is approved already can be moved. */
async function askOrder(call: Call, { view }: ProjectTrust): Promise<OrderDecision | undefined> {
  const change = orderWaits(view.order);
  if (change === undefined) return undefined;
  show(call, orderLines(change));
  const answer = await askChoice(call.terminal, { text: ORDER, flag: "hookpkg approve --order DIGEST --key FILE" }, [
    { value: "later", label: "later: the approved order goes on" },
    { value: "approved", label: "approve" },
    { value: "rejected", label: "reject: the approved order goes on, do not ask again" },
  ]);
  return answer === "later" ? undefined : { digest: change.digest, decided: answer };
}

type Answer = "later" | "approved" | "rejected" | "quit";

async function ask(call: Call, change: HandlerChange): Promise<Answer> {
  for (;;) {
    const question = { text: change.view.name, flag: "hookpkg approve --identity HK1 --key FILE" };
    const answer = await askChoice(call.terminal, question, choices(change));
    if (answer !== "look") return answer;
    show(call, diffLines(change));
  }
}

/** Later comes first: no default may be a yes. What cannot be read cannot be decided about. */
function choices({ view, proposed }: HandlerChange): { value: Answer | "look"; label: string }[] {
  const later = { value: "later", label: "later: it stays as it is" } as const;
  const quit = { value: "quit", label: "quit: the rest stays as it is" } as const;
  if (view.change === "dropped")
    return [later, { value: "approved", label: "let it stop: it guards nothing any more" }, quit];
  if (!proposed) return [later, quit];
  return [
    later,
    { value: "look", label: "look: every field and file" },
    { value: "approved", label: "approve" },
    { value: "rejected", label: view.approved ? "reject: what you approved goes on" : "reject: do not ask again" },
    quit,
  ];
}

function show(call: Call, lines: readonly string[]): void {
  for (const line of lines) call.terminal.note(line);
}
