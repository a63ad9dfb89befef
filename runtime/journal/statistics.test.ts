import { expect, test } from "bun:test";
import type { JournalLine } from "@hookpkg/spec";
import fc from "fast-check";
import type { JournalEntry } from "./reading.ts";
import { statistics } from "./statistics.ts";

function* entries(lines: Iterable<Partial<JournalLine>>): Generator<JournalEntry> {
  for (const line of lines)
    yield {
      line: {
        ...{ v: 1, at: "2030-01-01T00:00:00Z", session: "s", turn: null, host: "codex", event: "PreToolUse" },
        ...{ handler: "@a/b#c", identity: "hk1:x", state: "trusted", matched: true, outcome: "answered", ms: 1 },
        ...{ told: "continue", ...line },
      },
    };
}
const one = (...lines: Partial<JournalLine>[]) => statistics(entries(lines))[0];

test("runs, cancels and failures are counted apart; what was not reached is neither", () => {
  expect(
    one(
      { answer: "continue" },
      { answer: "cancel" },
      { answer: "end" },
      { outcome: "failed", code: "E_RUN_EXITED" },
      { outcome: "late", code: "E_RUN_LATE" },
      { outcome: "held", code: "E_STORE_MISSING" },
      { outcome: "not-reached" },
      { matched: false, outcome: "not-run" },
    ),
  ).toMatchObject({
    considered: 8,
    matched: 7,
    runs: 5,
    answered: 3,
    cancels: 2,
    failures: 3,
    lastCode: "E_STORE_MISSING",
  });
});

test("failing since the first failure that no answer has interrupted", () => {
  const failed = (at: string) => ({ at, outcome: "failed" as const, code: "E_RUN_EXITED" });
  expect(one(failed("1"), {}, failed("2"), { matched: false, outcome: "not-run" }, failed("3"))).toMatchObject({
    failingSince: "2",
    failures: 3,
  });
  expect(one(failed("1"), {})?.failingSince).toBeNull();
});

test("a handler that was switched off has not failed", () => {
  const off = { outcome: "skipped", code: "E_GATE_SAFE_MODE" } as const;
  expect(one(off, { ...off, code: "E_GATE_DISABLED" })).toMatchObject({ failures: 0, failingSince: null, p50: null });
});

test("a handler that never ran has no times; torn lines count for nobody", () => {
  expect(statistics([{ torn: true }])).toEqual([]);
  expect(one({ matched: false, outcome: "not-run" })).toMatchObject({ matched: 0, runs: 0, p50: null, p99: null });
});

test("p50 and p99 are within 2 in a hundred of the exact ones", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.1, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
      (times) => {
        const found = statistics(entries(times.map((ms) => ({ ms }))))[0];
        const exact = (share: number) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0;
        for (const [got, want] of [
          [found?.p50, exact(0.5)],
          [found?.p99, exact(0.99)],
        ] as const) {
          expect(got).toBeGreaterThanOrEqual(want * 0.99);
          expect(got).toBeLessThanOrEqual(want * 1.03);
        }
      },
    ),
  );
});

test("a long journal is read once, line by line, and what is kept of it does not grow", () => {
  let read = 0;
  function* many() {
    for (let n = 0; n < 200_000; n++) {
      read++;
      yield* entries([{ ms: (n % 5000) + 0.1, handler: `@a/b#h${n % 3}` }]);
    }
  }
  const found = statistics(many());
  expect([read, found.length, found[0]?.runs]).toEqual([200_000, 3, 66_667]);
  expect(JSON.stringify(found).length).toBeLessThan(1000);
});
