import { plainText } from "./terminal.ts";

/** Words as one line that a person can copy into their shell: every word comes out as it went in, and acts on nothing. */
export function commandText(...words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** One word, quoted only where it must be. What a terminal would not show as it is stands as `$'\x..'`. */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (plainText(word) === word && !/[\n\t]/.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${[...word].map(escaped).join("")}'`;
}

/** Nothing that a shell expands, at the beginning of a word or in it. */
const PLAIN = /^[A-Za-z0-9@%+:,./_-][A-Za-z0-9@%+:,./_=-]*$/;

function escaped(sign: string): string {
  if (sign === "'" || sign === "\\") return `\\${sign}`;
  if (plainText(sign) === sign && !/[\n\t]/.test(sign)) return sign;
  return [...new TextEncoder().encode(sign)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
