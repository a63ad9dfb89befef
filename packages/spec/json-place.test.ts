import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson } from "./index.ts";
import { jsonPlace } from "./json-place.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("a place is found exactly where JSON.parse refuses", () => {
  const piece = fc.constantFrom(
    ..."{}[],: \n".split(""),
    '"a"',
    '"\\u00e9"',
    '"',
    "1",
    "-0.5e3",
    "01",
    "true",
    "nul",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      expect(jsonPlace(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
  fc.assert(fc.property(fc.json(), (text) => expect(jsonPlace(text)).toBeUndefined()));
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', { line: 3, column: 3 }],
  ['{"a": 1,}', { line: 1, column: 9 }],
  ["[1, 2", { line: 1, column: 6 }],
  ["", { line: 1, column: 1 }],
  ["{} x", { line: 1, column: 4 }],
  ["{\n<<<<<<< HEAD\n}", { line: 2, column: 1 }],
])("%j is broken there", (text, place) => {
  expect(jsonPlace(text)).toEqual(place);
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: "E_JSON", facts: place }));
});

test("a key that stands twice has a place, too", () => {
  expect(() => parseJson('{"a":1,\n "a":2}')).toThrow(
    expect.objectContaining({ facts: { key: "a", line: 2, column: 2 } }),
  );
});
