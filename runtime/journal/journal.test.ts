import { afterEach, expect, test } from "bun:test";
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { sweepScratch, temporary } from "../test-project.ts";
import { journal, MAX_JOURNAL_BYTES, readJournal } from "./journal.ts";

afterEach(sweepScratch);

const line = (session: string, why = "x"): JournalLine => ({
  ...{ v: 1, at: "2030-01-01T00:00:00Z", session, turn: null, host: "codex", event: "PreToolUse", handler: "@a/b#c" },
  ...{ identity: "hk1:x", state: "trusted", matched: true, outcome: "answered", why, ms: 1, told: "continue" },
});
const sessions = (lines: readonly JournalLine[]) => lines.map(({ session }) => session);

test("lines are kept in order; the last ones are read", async () => {
  const home = homeFolders(temporary());
  for (const name of ["a", "b", "c"]) await journal(home, "p", [line(name)]);
  expect(sessions(readJournal(home, "p", { limit: 2 }))).toEqual(["b", "c"]);
  expect(statSync(join(home.state, "journal/p/journal.jsonl")).mode & 0o777).toBe(0o600);
  expect(readJournal(home, "none", { limit: 2 })).toEqual([]);
});

test("a file is put aside at its limit, and reading goes on over the border", async () => {
  const home = homeFolders(temporary());
  const big = line("big", "y".repeat(MAX_JOURNAL_BYTES / 3));
  for (let n = 0; n < 5; n++) await journal(home, "p", [{ ...big, session: `${n}` }]);
  expect(sessions(readJournal(home, "p", { limit: 4 }))).toEqual(["1", "2", "3", "4"]);
  expect(readdirSync(join(home.state, "journal/p")).filter((name) => name.endsWith(".jsonl")).length).toBeGreaterThan(
    1,
  );
});

test("a line that a kill cut short is left out and does not spoil the next one", async () => {
  const home = homeFolders(temporary());
  await journal(home, "p", [line("a")]);
  appendFileSync(join(home.state, "journal/p/journal.jsonl"), '{"v":1,"session":"cut');
  await journal(home, "p", [line("b")]);
  expect(sessions(readJournal(home, "p", { limit: 9 }))).toEqual(["a", "b"]);
});

test("events that end at the same time never mix", async () => {
  const home = homeFolders(temporary());
  const names = Array.from({ length: 30 }, (_, n) => `${n}`);
  await Promise.all(names.map((name) => journal(home, "p", [line(name, "z".repeat(9000)), line(name)])));
  expect(sessions(readJournal(home, "p", { limit: 100 })).sort()).toEqual([...names, ...names].sort());
});

test("redacted at its only door: known formats and given values", async () => {
  const home = homeFolders(temporary());
  await journal(home, "p", [line("a", `AKIA${"B".repeat(16)} and hunter2-hunter2`)], ["hunter2-hunter2"]);
  expect(readJournal(home, "p", { limit: 1 })[0]?.why).toBe("«redacted:aws» and «redacted:secret»");
});
