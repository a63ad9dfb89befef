import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { canonicalBytes, canonicalText, parseCanonical } from "./index.ts";

const read = (text: string) => {
  try {
    return parseCanonical(new TextEncoder().encode(text));
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
};

test.each([
  ['{"b":1,"a":2}', "E_CANONICAL"],
  ['{"a": 1}', "E_CANONICAL"],
  ['{"a":1}\n', "E_CANONICAL"],
  ['{"a":9007199254740993}', "E_CANONICAL_NUMBER"],
  ['{"a":1e400}', "E_CANONICAL_NUMBER"],
  ['{"a":1.5}', "E_CANONICAL_NUMBER"],
  ['{"a":-0}', "E_CANONICAL"],
  ['{"a":1.0}', "E_CANONICAL"],
  ['{"a":"\\u0062"}', "E_CANONICAL"],
  ['{"version":1,"version":2}', "E_JSON_DUPLICATE_KEY"],
  ["\ufeff{}", "E_JSON"],
  [`${"[".repeat(33)}${"]".repeat(33)}`, "E_JSON_TOO_DEEP"],
  [`"${"a".repeat(300 * 1024)}"`, "E_JSON_TOO_LARGE"],
])("%p is refused", (text, want) => {
  expect(read(text)).toBe(want);
});

test("a lone surrogate is in no canonical document", () => {
  expect(() => canonicalText("\ud800")).toThrow();
  expect(read('"\\ud800"')).not.toBe("\ud800");
});

test("what canonicalBytes writes, parseCanonical reads; key order has no part in it", () => {
  const integers = fc
    .jsonValue({ maxDepth: 4 })
    .map((value) =>
      JSON.parse(
        JSON.stringify(value, (_, part) => (typeof part === "number" ? Math.trunc(part % 2 ** 50) || 0 : part)),
      ),
    );
  fc.assert(
    fc.property(integers, (value) => {
      const bytes = canonicalBytes(value);
      expect(canonicalBytes(parseCanonical(bytes))).toEqual(bytes);
    }),
  );
  expect(canonicalText({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
});
