import { expect, test } from "bun:test";
import fc from "fast-check";
import { commandText, shellWord } from "./command-text.ts";
import { plainText } from "./terminal.ts";

/** What bash hands to a program that is called by this line. */
function handedOver(line: string): string[] {
  const run = Bun.spawnSync(["bash", "--norc", "-c", `printf '%s\\0' ${line}`], {
    cwd: "/",
    env: { LC_ALL: "C.UTF-8" },
  });
  return run.stdout.toString().split("\0").slice(0, -1);
}

const sign = fc.oneof(
  fc.constantFrom(...(" '\"\\$`!~#*?[]{}()<>|&;=\n\t\r\u001b\u202e\u200b-äé漢😀".match(/./gsu) ?? [])),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }).filter((text) => !text.includes("\0")),
);

test("a shell gets every word back as it was, and the line can be shown as it is", () => {
  const words = fc.array(
    fc.array(sign, { maxLength: 12 }).map((signs) => signs.join("")),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(words, (given) => {
      const line = commandText(...given);
      expect(plainText(line)).toBe(line);
      expect(line).not.toContain("\n");
      expect(handedOver(line)).toEqual(given.map((word) => word.toWellFormed()));
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["/home/me/app", "/home/me/app"],
  ["@acme/no-rm", "@acme/no-rm"],
  ["file:./my guard#x", "'file:./my guard#x'"],
  ["~", "'~'"],
  ["", "''"],
  ["/tmp/$(touch x)", "'/tmp/$(touch x)'"],
  ["it's", `'it'\\''s'`],
  ["a\nb", "$'a\\x0ab'"],
])("%j is written %s", (word, text) => {
  expect(shellWord(word)).toBe(text);
});
