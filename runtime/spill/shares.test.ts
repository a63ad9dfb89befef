import { expect, test } from "bun:test";
import fc from "fast-check";
import { NOTICE_ROOM, type Piece, shares } from "./shares.ts";

const BOUNDS = { lane: 16_000, together: 16_000 };
const piece = (size: number, more: Partial<Piece> = {}): Piece => ({
  ...{ lane: "context", size, beside: 20, limit: 10_000 },
  ...more,
});

test("what fits is whole: to the last character of its own limit and of all together", () => {
  expect(shares([piece(9999), piece(5961)], BOUNDS)).toEqual([9999, 5961]);
  expect(shares([piece(10_000)], BOUNDS)).toEqual([10_000]);
  expect(shares([piece(10_001)], BOUNDS)).toEqual([10_000]);
});

test("a small one after a huge one is whole, and the huge one has the rest", () => {
  expect(shares([piece(1_000_000, { limit: 1_000_000 }), piece(500)], BOUNDS)).toEqual([16_000 - 500 - 40, 500]);
});

test("the largest are cut to one level", () => {
  expect(shares([piece(9000), piece(100), piece(8000)], BOUNDS)).toEqual([7920, 100, 7920]);
});

test("a host's own limit holds for each lane", () => {
  const said = [piece(8000, { lane: "reason" }), piece(9000)];
  expect(shares(said, { lane: 5000, together: 16_000 })).toEqual([4980, 4980]);
});

test("no text is cut to less than the line that names the file, nor for its sake", () => {
  expect(shares([piece(1500, { limit: 100 }), piece(150, { limit: 100 })], BOUNDS)).toEqual([NOTICE_ROOM, 150]);
});

test("of very many, the last have no place of their own", () => {
  const said = Array.from({ length: 300 }, () => piece(5000));
  const caps = shares(said, BOUNDS);
  const placed = caps.filter((cap) => cap !== undefined);
  expect(placed.length).toBeGreaterThan(30);
  expect(caps.slice(placed.length).every((cap) => cap === undefined)).toBe(true);
  expect(Math.min(...placed)).toBeGreaterThanOrEqual(300);
});

test("property: never more than there is room for, and of two with one limit in one lane nobody is cut for the other", () => {
  const some = fc.record({
    lane: fc.constantFrom<Piece["lane"]>("reason", "context"),
    size: fc.nat(40_000),
    beside: fc.integer({ min: 10, max: 200 }),
    limit: fc.integer({ min: 100, max: 30_000 }),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 60 }), fc.integer({ min: 2000, max: 16_000 }), (pieces, lane) => {
      const caps = shares(pieces, { lane, together: 16_000 });
      const used = (name?: string) =>
        pieces.reduce((sum, { size, beside, lane: at }, n) => {
          const cap = caps[n];
          return cap === undefined || (name !== undefined && at !== name) ? sum : sum + Math.min(cap, size) + beside;
        }, 0);
      const left = caps.includes(undefined) ? NOTICE_ROOM : 0;
      expect(used()).toBeLessThanOrEqual(16_000 - left);
      expect(Math.max(used("reason"), used("context"))).toBeLessThanOrEqual(lane - left);
      const unequal = pieces.some(({ size, lane: at, limit }, n) =>
        pieces.some((other, m) => {
          const [mine, theirs] = [caps[n], caps[m]];
          if (mine === undefined || theirs === undefined || other.lane !== at || other.limit !== limit) return false;
          return mine < Math.min(size, theirs);
        }),
      );
      expect(unequal).toBe(false);
    }),
  );
});
