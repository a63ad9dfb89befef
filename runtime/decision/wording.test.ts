import { expect, test } from "bun:test";
import fc from "fast-check";
import { conditionWords } from "./telling.ts";
import { cleanText, contextBlock, MAX_PERSON_LINE, personLine, reasonLine } from "./wording.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("`", "\n", "\u001b", "\u202e", "a", " ") }),
);

test("property: a person's line is one line of at most 100 characters without control characters", () => {
  fc.assert(
    fc.property(text, (said) => {
      const line = personLine(said);
      expect(line.length).toBeLessThanOrEqual(MAX_PERSON_LINE);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});

test("property: nothing in a context ends its fence", () => {
  fc.assert(
    fc.property(text, (said) => {
      const [head, fence = "", ...rest] = contextBlock("@a/b#c", said, 1000).split("\n");
      expect(head).toBe("hook @a/b#c:");
      expect(rest.at(-1)).toBe(fence);
      expect(rest.slice(0, -1).some((line) => line.includes(fence))).toBe(false);
    }),
  );
});

test("property: a reason is never empty", () => {
  fc.assert(fc.property(text, (said) => expect(reasonLine("@a/b#c", said).length).toBeGreaterThan("@a/b#c: ".length)));
});

test("line breaks and tabs stay, bidi and escapes go", () => {
  expect(cleanText("a\n\tb\u202ec\u001b[0m\u200b")).toBe("a\n\tbc[0m");
});

test("a long name is cut, the code and what became of the action are not", () => {
  const line = conditionWords(`@${"a".repeat(90)}/b#c`, "failed E_RUN_THREW refused");
  expect(line.length).toBeLessThanOrEqual(MAX_PERSON_LINE);
  expect(line).toEndWith(" failed (E_RUN_THREW): action refused");
});
