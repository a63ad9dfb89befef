import { approvedSet, journalEntries, projectsAround, REAL_OUTSIDE, statistics } from "@hookpkg/runtime";
import type { CommandData, HandlerStatistics } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { isOwn } from "../trust/failing.ts";
import { pageLines } from "../trust/page.ts";
import { openTrust, type ProjectTrust } from "../trust/project-trust.ts";

type Stats = CommandData["stats"];
type Row = Stats["handlers"][number];

/** What the journal says of each handler: how often it ran, cancelled and failed, how long it took; which never match or never work. */
export async function run(call: Call): Promise<Done<Stats>> {
  const trust = await openTrust(call);
  const handlers = await rows(trust);
  return { data: { handlers }, lines: lines(handlers) };
}

/** Handlers of the project first, also those that no event concerned; then those that only the journal remembers, the ones that are gone last. */
async function rows({ home, place, view }: ProjectTrust): Promise<Row[]> {
  const set = await approvedSet(home, projectsAround(home, place.root), REAL_OUTSIDE);
  const here = new Set<string>(
    [...set.handlers, ...set.held, ...set.off.map(({ handler }) => handler)].map(({ name }) => name),
  );
  const found = new Map(statistics(journalEntries(home, place.id)).map((one) => [one.handler, one]));
  const names = view.handlers.filter((one) => one.approved ?? one.state === "managed").map(({ name }) => name);
  const all = [...new Set<string>([...names, ...found.keys()])].map((handler) => {
    const row = found.get(handler) ?? { ...NOTHING, handler };
    const alwaysFailing = row.failures > 0 && row.answered === 0;
    const gone = here.has(handler) || isOwn(handler) ? {} : { gone: true as const };
    return { ...row, neverMatched: row.matched === 0, alwaysFailing, ...gone };
  });
  return [...all.filter(({ gone }) => !gone), ...all.filter(({ gone }) => gone)];
}

const NOTHING: Omit<HandlerStatistics, "handler"> = {
  ...{ considered: 0, matched: 0, runs: 0, answered: 0, cancels: 0, failures: 0 },
  ...{ p50: null, p99: null, failingSince: null },
};

function lines(handlers: readonly Row[]): string[] {
  if (handlers.length === 0) return ["nothing has run here yet"];
  return handlers.flatMap((row) => [...pageLines(row.handler), ...numbers(row), ...remarks(row)]);
}

function numbers({ runs, cancels, failures, p50, p99, considered }: Row): string[] {
  const times = p50 === null ? "" : `, p50 ${p50} ms, p99 ${p99} ms`;
  return pageLines(
    `${runs} runs, ${cancels} cancels, ${failures} failures${times}; considered ${considered} times`,
    "  ",
  );
}

function remarks({ neverMatched, alwaysFailing, failingSince, lastCode, considered, gone }: Row): string[] {
  if (gone) return ["  it is approved here no more"];
  const code = lastCode === undefined ? "" : ` [${lastCode}]`;
  if (alwaysFailing) return pageLines(`ALWAYS FAILING: it never answered, since ${failingSince}${code}`, "  ");
  if (failingSince !== null) return pageLines(`failing since ${failingSince}${code}`, "  ");
  if (!neverMatched) return [];
  return [
    considered > 0 ? "  NEVER MATCHED: nothing that happened fitted it" : "  nothing has happened yet that concerns it",
  ];
}
