import { expect, test } from "bun:test";
import { checkPath, foldCase } from "./index.ts";

test.each([
  "guard.ts",
  "a b/c-d_e.(1).ts",
  "docs/Руководство 使用.md",
  "console.ts",
  "com10",
  "x.lockfile",
  "~a",
  "-rf",
])("%s may be packed", (path) => {
  expect(() => checkPath(path)).not.toThrow();
});

test("case folding joins all that any of Unicode's simple mappings joins", () => {
  const apart: string[] = [];
  for (let point = 1; point <= 0x1ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const sign = String.fromCodePoint(point);
    for (const other of [sign.toLowerCase(), sign.toUpperCase()]) {
      if (foldCase(other) !== foldCase(sign)) apart.push(sign);
    }
  }
  expect(apart).toEqual([]);
});

test("signs that the regular expressions call alike when case is ignored fold alike", () => {
  for (const [a, b] of [
    ["ß", "ẞ"],
    ["ſ", "S"],
    ["ς", "Σ"],
    ["θ", "ϑ"],
    ["µ", "Μ"],
    ["ǆ", "ǅ"],
    ["Ꭰ", "ꭰ"],
    ["𐐀", "𐐨"],
  ] as const) {
    expect([a, b, new RegExp(`^${a}$`, "iu").test(b), foldCase(a) === foldCase(b)]).toEqual([a, b, true, true]);
  }
});
