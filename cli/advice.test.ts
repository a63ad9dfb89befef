import { expect, test } from "bun:test";
import { declaredFaults } from "@hookpkg/fault";
import { adviceFor, advisedCodes } from "./advice.ts";
import "./faults.ts";
import { loadEveryFault } from "./look/every-fault.ts";

await loadEveryFault();
const declared = [...declaredFaults().keys()];

test("every code of every package has its line", () => {
  expect(declared.filter((code) => adviceFor(code) === undefined)).toEqual([]);
});

test("no line is for a code that nobody declares, and no code has two", () => {
  const advised = advisedCodes();
  expect(advised.filter((code) => !declared.includes(code))).toEqual([]);
  expect(advised.filter((code, at) => advised.indexOf(code) !== at)).toEqual([]);
});

test("a line fits on a line", () => {
  for (const code of declared) expect((adviceFor(code) ?? "").length).toBeLessThanOrEqual(98);
});

test("a table that is not loaded would not be held to this: all packages that declare one are", async () => {
  const root = `${import.meta.dir}/..`;
  const tables = ["packages/*/faults.ts", "*/faults.ts"].flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)]);
  let count = 0;
  for (const file of tables) {
    const text = await Bun.file(`${root}/${file}`).text();
    for (const [, code = ""] of text.matchAll(/^\s+(E_[A-Z0-9_]+):/gm)) {
      count++;
      expect(declared).toContain(code);
    }
  }
  expect(count).toBeGreaterThan(200);
});
