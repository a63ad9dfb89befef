import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Outside, REAL_OUTSIDE } from "../outside.ts";
import { testFolder } from "../test-folder.ts";
import { clearTexts, keepText, spillFolder, sweepTexts } from "./session-texts.ts";

const uid = process.getuid?.() ?? -1;
const S1 = { host: "claude-code", session: "s1" };
const HOUR = 60 * 60 * 1000;
const START = Date.parse("2030-01-01T00:00:00Z");

type World = Outside & { at: number };

function world(more: Partial<Outside> = {}): World {
  const made: World = {
    ...{ ...REAL_OUTSIDE, temporary: testFolder(), at: START },
    now: () => new Date(made.at),
    ...more,
  };
  return made;
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test("the whole text, in a file and folders for their owner alone, whatever the umask", () => {
  for (const mask of [0o000, 0o022, 0o077]) {
    const outside = world();
    const before = process.umask(mask);
    const file = keepText(outside, S1, "all of it");
    process.umask(before);
    expect(readFileSync(file, "utf8")).toBe("all of it\n");
    expect(mode(file)).toBe("600");
    for (let at = dirname(file); at !== outside.temporary; at = dirname(at)) expect(mode(at)).toBe("700");
  }
});

test("a folder that another's sweep took while it was empty is made again", () => {
  const outside = world();
  let taken = 0;
  outside.now = () => {
    const [session = ""] = taken === 0 ? readdirSync(spillFolder(outside)) : [];
    if (taken++ === 0) rmSync(join(spillFolder(outside), session), { recursive: true });
    return new Date(START);
  };
  expect(readFileSync(keepText(outside, S1, "kept"), "utf8")).toBe("kept\n");
  expect(taken).toBe(2);
});

test("a session's name is its host's text, never a path", () => {
  const outside = world();
  const names = ["../../../../etc", "/etc", ".", "..", "", "a/b", "s1\0", "é".repeat(5000), "s1"];
  const files = names.map((session) => keepText(outside, { host: "native", session }, "x"));
  for (const file of files)
    expect(file.slice(outside.temporary.length + 1)).toMatch(
      new RegExp(`^hookpkg-${uid}/spill/[0-9a-f]{12}/[0-9a-f]{12}\\.txt$`),
    );
  expect(new Set(files.map(dirname)).size).toBe(names.length);
  expect(dirname(keepText(outside, { host: "codex", session: "s1" }, "x"))).not.toBe(dirname(files.at(-1) ?? ""));
});

/** The steps on the way, and what somebody puts in the place of one. */
const LEVELS = [`hookpkg-${uid}`, `hookpkg-${uid}/spill`, "session"] as const;
function levelOf(outside: Outside, level: (typeof LEVELS)[number]): string {
  if (level !== "session") return join(outside.temporary, level);
  const other = world();
  const [own = ""] = readdirSync(join(dirname(keepText(other, S1, "x")), ".."));
  return join(spillFolder(outside), own);
}

test.each(LEVELS)("a link at %s is not followed, nothing is written where it leads", (level) => {
  const outside = world();
  const target = testFolder();
  chmodSync(target, 0o700);
  const place = levelOf(outside, level);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  symlinkSync(target, place);
  expect(codeOf(() => keepText(outside, S1, "x"))).toBe("E_SPILL_FOLDER");
  writeFileSync(join(target, "old.txt"), "theirs");
  outside.at = Date.now() + 48 * HOUR;
  sweepTexts(outside);
  expect(clearTexts(outside)).toBe(0);
  expect(readdirSync(target)).toEqual(["old.txt"]);
});

test.each(LEVELS)("a folder at %s that others may open is not used", (level) => {
  const outside = world();
  const place = levelOf(outside, level);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const open of [0o777, 0o701, 0o710, 0o1777]) {
    chmodSync(place, open);
    expect(codeOf(() => keepText(outside, S1, "x"))).toBe("E_SPILL_FOLDER");
  }
  chmodSync(place, 0o700);
  expect(codeOf(() => keepText(outside, S1, "x"))).toBe("");
});

test.each(LEVELS)("a file at %s is no folder", (level) => {
  const outside = world();
  const place = levelOf(outside, level);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  writeFileSync(place, "");
  expect(codeOf(() => keepText(outside, S1, "x"))).toBe("E_SPILL_FOLDER");
});

const asRoot = uid === 0;
test(`a folder that another user made first is not used${asRoot ? "" : " (NOT RUN: needs root)"}`, () => {
  if (!asRoot) return;
  for (const level of LEVELS) {
    const outside = world();
    const place = levelOf(outside, level);
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    // Made by a process of theirs, as in a /tmp that everybody may write.
    const above = dirname(place);
    chmodSync(outside.temporary, 0o777);
    const spaces = [above, dirname(above)].filter((path) => path.startsWith(outside.temporary + sep));
    for (const path of spaces) chmodSync(path, 0o777);
    const made = Bun.spawnSync([
      "/usr/bin/setpriv",
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      "mkdir",
      "-m",
      "700",
      place,
    ]);
    expect(made.exitCode).toBe(0);
    for (const path of spaces) chmodSync(path, 0o700);
    expect(statSync(place).uid).toBe(65534);
    expect(codeOf(() => keepText(outside, S1, "x"))).toBe("E_SPILL_FOLDER");
    expect(readdirSync(place)).toEqual([]);
  }
});

test("whatever stands at the file's name is left as it is: a link, another name of a file, a pipe", () => {
  const id = "0123456789abcdef0123456789abcdef";
  const outside = world({ randomId: () => id });
  const file = keepText(outside, S1, "first");
  const theirs = join(testFolder(), "theirs");
  writeFileSync(theirs, "theirs");
  const puts = [
    () => symlinkSync(theirs, file),
    () => linkSync(theirs, file),
    () => symlinkSync(join(dirname(theirs), "absent"), file),
    () => expect(Bun.spawnSync(["mkfifo", file]).exitCode).toBe(0),
  ];
  for (const put of puts) {
    rmSync(file);
    put();
    expect(codeOf(() => keepText(outside, S1, "second"))).toBe("E_SPILL_UNWRITABLE");
    expect(lstatSync(file, { throwIfNoEntry: false })).toBeDefined();
    expect(readFileSync(theirs, "utf8")).toBe("theirs");
  }
  expect(existsSync(join(dirname(theirs), "absent"))).toBe(false);
});

test("a session keeps so much: what does not fit is not kept, what was kept stays", () => {
  const outside = world();
  const files = [keepText(outside, S1, "a".repeat(499), 1000), keepText(outside, S1, "b".repeat(499), 1000)];
  expect(codeOf(() => keepText(outside, S1, "c", 1000))).toBe("E_SPILL_FULL");
  expect(readdirSync(dirname(files[0] ?? "")).length).toBe(2);
  expect(codeOf(() => keepText(outside, { ...S1, session: "s2" }, "c", 1000))).toBe("");
});

test("gone after a day, with the session's folder; a clock that was set back keeps nothing for ever", () => {
  const outside = world();
  const old = keepText(outside, S1, "old");
  outside.at += 23 * HOUR;
  const young = keepText(outside, { ...S1, session: "s2" }, "young");
  sweepTexts(outside);
  expect([old, young].map(existsSync)).toEqual([true, true]);
  outside.at += 2 * HOUR;
  sweepTexts(outside);
  expect([old, dirname(old), young].map(existsSync)).toEqual([false, false, true]);
  outside.at = START - 365 * 24 * HOUR;
  sweepTexts(outside);
  expect(existsSync(young)).toBe(false);
  expect(existsSync(spillFolder(outside))).toBe(true);
});

test("a sweep takes away a link, never what it names; no folder to sweep is no error", () => {
  const outside = world();
  sweepTexts(outside);
  const file = keepText(outside, S1, "x");
  const theirs = testFolder();
  writeFileSync(join(theirs, "kept"), "theirs");
  symlinkSync(theirs, join(dirname(file), "link"));
  symlinkSync(theirs, join(spillFolder(outside), "link"));
  outside.at = Date.now() + 48 * HOUR;
  sweepTexts(outside);
  expect(readdirSync(spillFolder(outside))).toEqual(["link"]); // no folder of ours: left alone
  expect(readFileSync(join(theirs, "kept"), "utf8")).toBe("theirs");
});

test("all of them at once", () => {
  const outside = world();
  for (let n = 0; n < 200; n++) keepText(outside, { ...S1, session: `s${n % 3}` }, `${n}`);
  expect(clearTexts(outside)).toBe(200);
  expect(readdirSync(spillFolder(outside))).toEqual([]);
});
