import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import { parseCommandLine } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";

const bare = COMMANDS.filter(({ args }) => args === "").map(({ name }) => name);

test.each(bare)("%s is not begun with a word that it would not read", (name) => {
  const words = name.split(" ");
  expect(codeOf(() => parseCommandLine([...words, "stray"]))).toBe("E_USAGE");
  expect(parseCommandLine([...words, "stray", "--help"]).command?.name).toBe(name);
  expect(parseCommandLine(words).command?.name).toBe(name);
});

test("a command that takes words is given all of them", () => {
  expect(parseCommandLine(["approve", "@a/b#c", "@a/b#d"]).args).toEqual(["@a/b#c", "@a/b#d"]);
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "";
}
