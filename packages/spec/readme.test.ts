import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ANSWER_TABLE, EVENTS, isKnownEvent, packageCases, packageProblems } from "./index.ts";

const page = readFileSync(join(import.meta.dir, "README.md"), "utf8");
const between = (start: string) => page.split(`<!-- ${start} -->`)[1]?.split("<!-- end -->")[0]?.trim();

test("the answer table of the page is the one that answers are read by", () => {
  const rows = ANSWER_TABLE.map(({ exit, stdout, reads, says }) => {
    const code = reads.startsWith("E_") ? ` (\`${reads}\`)` : "";
    return `| ${exit} | ${typeof stdout === "string" ? stdout : stdout.join(", ")} | ${says}${code} |`;
  });
  expect(between("answers")).toBe(["| exit | stdout | → |", "|---|---|---|", ...rows].join("\n"));
});

test("the events of the page may what the event table says", () => {
  const rows = between("events")?.split("\n").slice(2) ?? [];
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const [name = "", may, without, patch] = row
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    if (!isKnownEvent(name)) throw new Error(`${name} is no event`);
    const { may: rights, defaultMay, patchable } = EVENTS[name];
    const patched = patchable.map((field) => `\`${field}\``).join(", ");
    expect([may, without, patch], name).toEqual([rights.join(", "), defaultMay.join(", "), patched]);
  }
});

test("the package of the page has no fault", () => {
  const blocks = [...page.matchAll(/^```json (\S+)\n(.*?)^```$/gms)];
  const files = new Map(blocks.map(([, path = "", text = ""]) => [path, new TextEncoder().encode(text)]));
  files.set("guard.ts", new TextEncoder().encode("export default () => undefined;\n"));
  files.set("guard.py", new Uint8Array());
  expect(packageProblems(files)).toEqual([]);
  expect(packageCases(files).cases).toHaveLength(2);
});
