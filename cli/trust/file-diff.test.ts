import { expect, test } from "bun:test";
import type { Files } from "@hookpkg/archive";
import { fileDiffs } from "./file-diff.ts";

const files = (texts: Record<string, string | Uint8Array>, executable = false): Files =>
  Object.entries(texts).map(([path, text]) => ({ path, executable, bytes: Buffer.from(text) }));

test("a changed line is shown with what stands around it, the rest is not", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
  const changed = lines.with(15, "other");
  const [found] = fileDiffs(files({ "a.ts": lines.join("\n") }), files({ "a.ts": changed.join("\n") }));
  expect(found?.path).toBe("a.ts");
  expect(found?.diff).toContain("-line 15\n+other");
  expect(found?.diff).toContain(" line 12\n");
  expect(found?.diff).not.toContain("line 2\n");
});

test("added, removed and mode changes are said; what is the same is left out", () => {
  const before = [...files({ gone: "x", same: "x" }), ...files({ tool: "x" })];
  const after = [...files({ fresh: "x", same: "x" }), ...files({ tool: "x" }, true)];
  const found = fileDiffs(before, after).map(({ path, diff }) => [path, diff.split("\n")[0]]);
  expect(found).toEqual([
    ["fresh", "new"],
    ["gone", "removed"],
    ["tool", "executable now"],
  ]);
});

test("signs that hide or turn text are written out, also in names", () => {
  const [found] = fileDiffs([], files({ "a\u202e.ts": "if (x\u202e\u2066) { \u001b[2J\u200b }\r\n\tok" }));
  expect(found?.path).toBe("a<U+202E>.ts");
  expect(found?.diff).toContain("+if (x<U+202E><U+2066>) { <U+001B>[2J<U+200B> }<U+000D>");
  expect(found?.diff).toContain("+\tok");
});

test.each([
  ["binary", new Uint8Array([1, 0, 2]), "binary"],
  ["other encodings", new Uint8Array([0xff, 0xfe, 0x41]), "binary"],
  ["minified code", `${"a();".repeat(400)}\n`, "minified"],
  ["a file too large to compare", "a\n".repeat(2 * 1024 * 1024), "too large to compare"],
])("%s is called so, with sizes and digests", (_, bytes, kind) => {
  const [found] = fileDiffs(files({ "a.js": "x" }), files({ "a.js": bytes }));
  expect(found?.diff).toMatch(
    new RegExp(`^${kind}, not readable here: 1 bytes, sha256:[0-9a-f]{64} → \\d+ bytes, sha256:`),
  );
});

test("a line of 1000 signs is still read: the border is not in the middle of honest code", () => {
  const [found] = fileDiffs([], files({ "a.js": "x".repeat(1000) }));
  expect(found?.diff).toContain(`+${"x".repeat(1000)}`);
});

test("two files that have nothing in common are shown one after the other, without an endless comparison", () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, n) => `${word}${n}`).join("\n");
  const [found] = fileDiffs(files({ a: lines("x") }), files({ a: lines("y") }));
  expect(found?.diff).toStartWith("-x0\n-x1\n");
  expect(found?.diff).toEndWith("+y39998\n+y39999");
});

test("a new file is shown whole, however long it is", () => {
  const [found] = fileDiffs([], files({ a: "line\n".repeat(30_000) }));
  expect(found?.diff.split("\n").filter((line) => line === "+line")).toHaveLength(30_000);
});
