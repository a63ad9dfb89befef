/** What is measured beside what: each way does the same once. */
export type Ways = Readonly<Record<string, () => Promise<unknown>>>;

/** Medians in milliseconds. The ways take turns within each round, so that what else the machine does falls on all of them. */
export async function sideBySide(ways: Ways, { warmup, rounds }: { warmup: number; rounds: number }) {
  const taken = Object.fromEntries(Object.keys(ways).map((name): [string, number[]] => [name, []]));
  for (let round = -warmup; round < rounds; round++)
    for (const [name, work] of Object.entries(ways)) {
      const from = performance.now();
      await work();
      if (round >= 0) taken[name]?.push(performance.now() - from);
    }
  return Object.fromEntries(Object.entries(taken).map(([name, times]) => [name, median(times)]));
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** `kept` is the row's own verdict on its aim; a machine that does much else makes every verdict worth little. */
export type Row = {
  what: string;
  medians: Readonly<Record<string, number>>;
  result: string;
  aim: string;
  kept: boolean;
};

export function print({ what, medians, result, aim, kept }: Row): void {
  const times = Object.entries(medians).map(([name, ms]) => `${name} ${ms.toFixed(3)} ms`);
  console.log(`${kept ? "ok  " : "MISS"} ${what}: ${result} (aim ${aim})\n       ${times.join(" · ")}`);
}
