import type { HandlerStatistics, JournalLine } from "@hookpkg/spec";
import type { JournalEntry } from "./reading.ts";

/** One pass, whose memory grows with the number of handlers and not with the journal. */
export function statistics(entries: Iterable<JournalEntry>): HandlerStatistics[] {
  const tallies = new Map<string, Tally>();
  for (const entry of entries) {
    if ("torn" in entry) continue;
    const { handler } = entry.line;
    const tally = tallies.get(handler) ?? emptyTally();
    if (!tallies.has(handler) && tallies.size >= MAX_HANDLERS) continue;
    tallies.set(handler, tally);
    count(tally, entry.line);
  }
  return [...tallies].map(([handler, { times, lastCode, ...tally }]) => ({
    handler,
    ...tally,
    p50: quantile(times, tally.runs, 0.5),
    p99: quantile(times, tally.runs, 0.99),
    ...(lastCode === undefined ? {} : { lastCode }),
  }));
}

const MAX_HANDLERS = 10_000;

type Tally = Omit<HandlerStatistics, "handler" | "p50" | "p99" | "lastCode"> & {
  times: Map<number, number>;
  lastCode: string | undefined;
};

function emptyTally(): Tally {
  const counts = { considered: 0, matched: 0, runs: 0, answered: 0, cancels: 0, failures: 0 };
  return { ...counts, failingSince: null, times: new Map(), lastCode: undefined };
}

const OFF: readonly (string | undefined)[] = ["E_GATE_DISABLED", "E_GATE_SAFE_MODE"];

function count(tally: Tally, { at, matched, outcome, answer, code, ms }: JournalLine): void {
  tally.considered++;
  if (!matched) return;
  tally.matched++;
  const isRun = outcome === "answered" || outcome === "failed" || outcome === "late";
  if (isRun) {
    tally.runs++;
    const step = stepOf(ms);
    tally.times.set(step, (tally.times.get(step) ?? 0) + 1);
  }
  if (answer === "cancel" || answer === "end") tally.cancels++;
  const isFailure = !isRun && outcome !== "not-reached" && outcome !== "not-run" && !OFF.includes(code);
  if (outcome === "answered") {
    tally.answered++;
    tally.failingSince = null;
  } else if (isRun || isFailure) {
    tally.failures++;
    tally.failingSince ??= at;
    tally.lastCode = code;
  }
}

/** Times are kept in steps of 2 %, from a tenth of a millisecond up: some hundred steps hold all that a timeout allows. */
const GROWTH = Math.log(1.02);
const SHORTEST_MS = 0.1;

function stepOf(ms: number): number {
  return Math.max(0, Math.ceil(Math.log(ms / SHORTEST_MS) / GROWTH));
}

function quantile(times: ReadonlyMap<number, number>, runs: number, share: number): number | null {
  if (runs === 0) return null;
  let left = Math.ceil(runs * share);
  for (const [step, found] of [...times].sort(([a], [b]) => a - b)) {
    left -= found;
    if (left <= 0) return Number((SHORTEST_MS * Math.exp(step * GROWTH)).toPrecision(3));
  }
  return null;
}
