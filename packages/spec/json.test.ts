import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import fc from "fast-check";
import { parseJson } from "./index.ts";

const code = (work: () => unknown) => {
  try {
    work();
    return "accepted";
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
};

test.each([
  ['{"a":1,"a":2}', "E_JSON_DUPLICATE_KEY"],
  ['{"a":1,"\\u0061":2}', "E_JSON_DUPLICATE_KEY"],
  ['[{"b":{"a":1,"c":2,"a":3}}]', "E_JSON_DUPLICATE_KEY"],
  ['{"a":"a","b":["a","a"]}', "accepted"],
  ['{"a":{"a":{"a":1}}}', "accepted"],
  ["{", "E_JSON"],
  ['{"a":1} x', "E_JSON"],
  ["\ufeff{}", "E_JSON"],
  ['{"a\\', "E_JSON"],
  ['{"\\q":1}', "E_JSON"],
  ["", "E_JSON"],
])("%p is %p", (text, want) => {
  expect(code(() => parseJson(text))).toBe(want);
});

test("bytes that are not UTF-8, a deep and a long document are refused before they are parsed", () => {
  expect(code(() => parseJson(new Uint8Array([0x22, 0xff, 0x22])))).toBe("E_JSON_NOT_UTF8");
  expect(code(() => parseJson("[".repeat(200_000)))).toBe("E_JSON_TOO_DEEP");
  expect(code(() => parseJson(`"${"a".repeat(100)}"`, { maxBytes: 50 }))).toBe("E_JSON_TOO_LARGE");
});

test("whatever JSON.stringify writes is read as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test("any text gives a value or a coded fault", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(code(() => parseJson(text))).toMatch(/^(accepted|E_JSON)/);
    }),
  );
});
