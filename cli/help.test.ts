import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "@hookpkg/spec";
import { EXIT_MEANINGS, overview } from "./help.ts";

const codes = Object.entries(EXIT).map(([name, code]): [number, string] => [
  code,
  EXIT_MEANINGS[name as keyof typeof EXIT], // its own key
]);

test("the page's exit codes are all that there are, and so are the first help's", () => {
  const page = readFileSync(join(import.meta.dir, "../README.md"), "utf8");
  const table = page.split("<!-- exit codes -->")[1]?.split("<!-- end -->")[0]?.trim();
  const rows = codes.map(([code, meaning]) => `| ${code} | ${meaning} |`);
  expect(table).toBe(["| exit | means |", "|---|---|", ...rows].join("\n"));
  const help = overview().split("exit codes\n")[1]?.split("\n") ?? [];
  expect(help.map((line) => Number.parseInt(line, 10))).toEqual(codes.map(([code]) => code));
});
