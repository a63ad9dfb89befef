/** What is measured beside what: each way does the same once. What it gives back is done before the next one, untimed. */
export type Ways = Readonly<Record<string, () => Promise<unknown>>>;
export type Medians = Readonly<Record<string, number>>;

/** Medians in milliseconds. The ways take turns within each round, so that what else the machine does falls on all of them. */
export async function sideBySide(ways: Ways, { warmup, rounds }: { warmup: number; rounds: number }): Promise<Medians> {
  const taken = Object.fromEntries(Object.keys(ways).map((name): [string, number[]] => [name, []]));
  for (let round = -warmup; round < rounds; round++)
    for (const [name, work] of Object.entries(ways)) {
      const from = performance.now();
      const after = await work();
      if (round >= 0) taken[name]?.push(performance.now() - from);
      if (typeof after === "function") await after();
    }
  return Object.fromEntries(Object.entries(taken).map(([name, times]) => [name, median(times)]));
}

export function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** `kept` is the row's own verdict on its aim; a machine that does much else makes every verdict worth little. */
export type Row = { what: string; medians: Medians; result: string; aim: string; kept: boolean };

/** A row that holds one way against another: how many times as long it takes. */
export function ratioRow(what: string, medians: Medians, { most, aim }: { most: number; aim: string }): Row {
  const [ours = 0, ...others] = Object.values(medians);
  const ratio = ours / Math.min(...others);
  return { what, medians, result: `${ratio.toFixed(2)} ×`, aim, kept: ratio <= most };
}

/** A row of one way at growing sizes: the cost may not grow faster than the size. */
export function curveRow(what: string, sizes: readonly number[], medians: Medians): Row {
  const times = Object.values(medians);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const grows = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1);
  const result = `${(last / first).toFixed(1)} × for ${grows} ×`;
  return { what, medians, result, aim: `≤ ${grows} ×`, kept: last / first <= grows };
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, medians, result, aim, kept }) => [
    kept ? "ok" : "MISS",
    what,
    result,
    aim,
    Object.entries(medians)
      .map(([name, ms]) => `${name} ${time(ms)}`)
      .join(" · "),
  ]);
  const all = [["", "what", "result", "aim", "medians"], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

function time(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}
