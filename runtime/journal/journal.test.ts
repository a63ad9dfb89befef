import { afterEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { sweepScratch, temporary } from "../test-project.ts";
import { followJournal } from "./follow.ts";
import { journal } from "./journal.ts";
import { journalEntries, journalTail, readJournal } from "./reading.ts";

afterEach(sweepScratch);

const SMALL = { maxBytes: 2000, maxFiles: 3 };

const line = (session: string, why = "x"): JournalLine => ({
  ...{ v: 1, at: "2030-01-01T00:00:00Z", session, turn: null, host: "codex", event: "PreToolUse", handler: "@a/b#c" },
  ...{ identity: "hk1:x", state: "trusted", matched: true, outcome: "answered", why, ms: 1, told: "continue" },
});
const sessions = (lines: readonly JournalLine[]) => lines.map(({ session }) => session);
const filesOf = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

test("lines are kept in order; the last ones are read", async () => {
  const home = homeFolders(temporary());
  for (const name of ["a", "b", "c"]) await journal(home, "p", [line(name)]);
  expect(sessions(readJournal(home, "p", { limit: 2 }))).toEqual(["b", "c"]);
  expect(statSync(join(home.state, "journal/p/journal.jsonl")).mode & 0o777).toBe(0o600);
  expect(readJournal(home, "none", { limit: 2 })).toEqual([]);
});

test("asked for some lines, the last of those are given", async () => {
  const home = homeFolders(temporary());
  for (const name of ["a", "b", "a", "b", "b"]) await journal(home, "p", [line(name)]);
  const keep = ({ session }: JournalLine) => session === "a";
  expect(sessions(journalTail(home, "p", { limit: 2, keep }).lines)).toEqual(["a", "a"]);
});

test("a file is put aside before it passes its limit, the oldest goes, and reading goes on over the border", async () => {
  const home = homeFolders(temporary());
  for (let n = 0; n < 40; n++) await journal(home, "p", [line(`${n}`, "y".repeat(300))], { limits: SMALL });
  const folder = join(home.state, "journal/p");
  expect(filesOf(folder).sort()).toEqual(["journal.1.jsonl", "journal.2.jsonl", "journal.jsonl"]);
  for (const name of filesOf(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(SMALL.maxBytes);
  const kept = sessions([...journalEntries(home, "p")].flatMap((entry) => ("line" in entry ? [entry.line] : [])));
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => `${40 - kept.length + n}`));
  expect(kept.length).toBeGreaterThan(6);
});

test("a rotation that was killed half-way costs no file: the gap is filled", async () => {
  const home = homeFolders(temporary());
  for (let n = 0; n < 9; n++) await journal(home, "p", [line(`${n}`, "y".repeat(300))], { limits: SMALL });
  const folder = join(home.state, "journal/p");
  rmSync(join(folder, "journal.2.jsonl"));
  renameSync(join(folder, "journal.1.jsonl"), join(folder, "journal.2.jsonl"));
  const before = readJournal(home, "p", { limit: 99 });
  await journal(home, "p", [line("big", "y".repeat(1900))], { limits: SMALL });
  expect(sessions(readJournal(home, "p", { limit: 99 }))).toEqual([...sessions(before), "big"]);
  expect(existsSync(join(folder, "journal.1.jsonl"))).toBe(true);
});

test("a line that a kill cut short is counted, left out, and does not spoil the others", async () => {
  const home = homeFolders(temporary());
  const cut = () => appendFileSync(join(home.state, "journal/p/journal.jsonl"), '{"v":1,"session":"cut');
  await journal(home, "p", [line("a")]);
  cut();
  expect(journalTail(home, "p", { limit: 9 })).toMatchObject({ lines: [{ session: "a" }], torn: 1 });
  await journal(home, "p", [line("b")]);
  cut();
  expect(journalTail(home, "p", { limit: 9 })).toMatchObject({ lines: [{ session: "a" }, { session: "b" }], torn: 2 });
});

test("what parses and is no line is no line", async () => {
  const home = homeFolders(temporary());
  await journal(home, "p", [line("a")]);
  appendFileSync(join(home.state, "journal/p/journal.jsonl"), 'null\n7\n[]\n{"v":1}\n');
  expect(journalTail(home, "p", { limit: 9 })).toMatchObject({ lines: [{ session: "a" }], torn: 4 });
});

test("events that end at the same time never mix", async () => {
  const home = homeFolders(temporary());
  const names = Array.from({ length: 30 }, (_, n) => `${n}`);
  await Promise.all(names.map((name) => journal(home, "p", [line(name, "z".repeat(9000)), line(name)])));
  expect(sessions(readJournal(home, "p", { limit: 100 })).sort()).toEqual([...names, ...names].sort());
});

const writer = (base: string, ...words: string[]) =>
  Bun.spawn([process.execPath, join(import.meta.dir, "test-writer.ts"), base, ...words], { stdout: "pipe" });

test("several processes write through rotations: no line is lost, cut or split from its event", async () => {
  const base = temporary();
  const writers = ["a", "b", "c"].map((name) => writer(base, name, "80"));
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  const { lines, torn } = journalTail(homeFolders(base), "p", { limit: 1000 });
  expect([lines.length, torn]).toEqual([480, 0]);
  for (let n = 0; n < lines.length; n += 2)
    expect(lines[n + 1]).toEqual({ ...lines[n], handler: "@a/b#d" } as JournalLine); // a line with another handler
  for (const name of ["a", "b", "c"])
    expect(lines.filter((one) => one.session === name && one.handler === "@a/b#c").map(({ turn }) => turn)).toEqual(
      Array.from({ length: 80 }, (_, n) => `${n}`),
    );
}, 60_000);

test("kill -9 at any moment costs at most the line that was being written", async () => {
  const base = temporary();
  for (let round = 0; round < 12; round++) {
    const killed = writer(base, `${round}`);
    await killed.stdout.getReader().read();
    await Bun.sleep(5 + round * 7);
    killed.kill("SIGKILL");
    await killed.exited;
  }
  const home = homeFolders(base);
  await journal(home, "p", [line("after")]);
  const { lines, torn } = journalTail(home, "p", { limit: 100_000 });
  expect(torn).toBeLessThanOrEqual(12);
  expect(lines.at(-1)?.session).toBe("after");
  for (let round = 0; round < 12; round++) {
    const turns = lines.filter((one) => one.session === `${round}`).map(({ turn }) => Number(turn));
    const first = turns[0] ?? 0;
    expect(turns).toEqual(turns.map((_, n) => first + Math.floor(n / 2)));
  }
}, 60_000);

test("followed, it gives what is there, then what comes, over rotations and torn lines", async () => {
  const home = homeFolders(temporary());
  await journal(home, "p", [line("0")]);
  const stop = new AbortController();
  const seen: string[] = [];
  const caughtUp = Promise.withResolvers<void>();
  const following = (async () => {
    for await (const entry of followJournal(home, "p", { signal: stop.signal, onCaughtUp: caughtUp.resolve })) {
      seen.push("torn" in entry ? "torn" : entry.line.session);
      if (seen.at(-1) === "end") stop.abort();
    }
  })();
  await caughtUp.promise;
  expect(seen).toEqual(["0"]);
  for (let n = 1; n < 12; n++) await journal(home, "p", [line(`${n}`, "y".repeat(300))], { limits: SMALL });
  appendFileSync(join(home.state, "journal/p/journal.jsonl"), '{"v":1,');
  await journal(home, "p", [line("end")], { limits: SMALL });
  await following;
  expect(seen).toEqual([...Array.from({ length: 12 }, (_, n) => `${n}`), "torn", "end"]);
});

test("followed before anything was written", async () => {
  const home = homeFolders(temporary());
  const stop = new AbortController();
  const first = followJournal(home, "p", { signal: stop.signal }).next();
  await journal(home, "p", [line("a")]);
  expect(await first).toMatchObject({ value: { line: { session: "a" } } });
});

test("redacted at its only door: known formats and given values, also with signs that JSON escapes", async () => {
  const home = homeFolders(temporary());
  const secrets = ["hunter2-hunter2", 'with"quote\\and"more'];
  const told = { ...line("a", `AKIA${"B".repeat(16)} and ${secrets.join(" ")}`), stderr: secrets[1] ?? "" };
  await journal(home, "p", [{ ...told, denied: [`read ${secrets[0]}`] }], { secrets });
  expect(readJournal(home, "p", { limit: 1 })[0]).toMatchObject({
    why: "«redacted:aws» and «redacted:secret» «redacted:secret»",
    stderr: "«redacted:secret»",
    denied: ["read «redacted:secret»"],
  });
});
