import { expect, test } from "bun:test";
import fc from "fast-check";
import { BYTES, CHARACTERS, endsOf, type Measure } from "./ends.ts";

const signs = new Intl.Segmenter("en", { granularity: "grapheme" });

function isTorn(text: string, at: number): boolean {
  return at < text.length && [...signs.segment(text)].every(({ index }) => index !== at);
}

test.each([
  ["a flag", "🇩🇪🇫🇷🇮🇹🇪🇸"],
  ["a family", "👨‍👩‍👧‍👦"],
  ["a letter with marks", "e\u0301\u0302a\u0308"],
  ["a pair", "𝕏𝕐"],
  ["a line's end of two signs", "a\r\nb\r\n"],
  ["three bytes each", "漢字"],
])("no cut tears %s", (_, unit) => {
  const text = unit.repeat(6);
  for (let room = 0; room < 60; room++)
    for (const measure of [CHARACTERS, BYTES]) {
      const { head, tail } = endsOf(text, room, measure);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect([isTorn(text, head.length), isTorn(text, text.length - tail.length)]).toEqual([false, false]);
    }
});

test("property: both ends are the text's own, within the room, without half a pair", () => {
  const unit = fc.constantFrom("a", "\n", "é", "漢", "😀", "e\u0301", "\r\n", "👨‍👩‍👧");
  const text = fc.array(unit, { maxLength: 200 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(600), fc.constantFrom<Measure>(CHARACTERS, BYTES), (said, room, measure) => {
      const { head, tail } = endsOf(said, room, measure);
      expect(said.startsWith(head) && said.endsWith(tail)).toBe(true);
      expect(head.length + tail.length).toBeLessThanOrEqual(said.length);
      expect(measure(head) + measure(tail)).toBeLessThanOrEqual(room);
      expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
    }),
  );
});

test("where a line ends nearby, no line is torn", () => {
  const line = `${"word ".repeat(19)}end.\n`;
  const { head, tail } = endsOf(line.repeat(100), 3000, CHARACTERS);
  expect(head.endsWith("end.")).toBe(true);
  expect(tail.startsWith("word ")).toBe(true);
  expect(head.length + tail.length).toBeGreaterThan(2700);
});

test("a sign that is made to be long is cut, never between the halves of a pair", () => {
  const { head, tail } = endsOf(`a${"\u0301".repeat(5000)}`, 1001, CHARACTERS);
  expect([head.length, tail.length]).toEqual([667, 334]);
  const pairs = endsOf("😀\u200d".repeat(3000), 1000, CHARACTERS);
  expect(pairs.head.isWellFormed() && pairs.tail.isWellFormed()).toBe(true);
});
