import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configSchema } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { person, sweepScratch, temporary, write } from "../test-project.ts";
import { withLock } from "./file-lock.ts";
import { readPolicy } from "./policy.ts";
import { newsOf, readSession, recordEvent } from "./sessions.ts";
import { readState, writeState } from "./state-file.ts";

afterEach(sweepScratch);

test("a state file is written whole, for its owner alone, and nothing else is left", () => {
  const home = homeFolders(temporary());
  const file = join(home.config, "config.json");
  writeState(home, file, { v: 1, options: {} });
  expect(readState(configSchema, file)).toEqual({ v: 1, options: {} });
  expect(readdirSync(home.config)).toEqual(["config.json"]);
  expect(readState(configSchema, join(home.config, "none.json"))).toBeUndefined();
});

test("a link, a folder, a file that others can write, and garbage are unreadable, not absent", () => {
  const home = homeFolders(temporary());
  const file = join(home.config, "config.json");
  writeState(home, file, { v: 1 });
  symlinkSync(file, join(home.config, "link.json"));
  symlinkSync(join(home.config, "nowhere"), join(home.config, "dangling.json"));
  mkdirSync(join(home.config, "folder.json"));
  writeFileSync(join(home.config, "shared.json"), '{"v":1}');
  chmodSync(join(home.config, "shared.json"), 0o666);
  for (const name of ["link", "dangling", "folder", "shared"])
    expect(() => readState(configSchema, join(home.config, `${name}.json`))).toThrow(
      expect.objectContaining({ code: "E_STATE_UNREADABLE" }),
    );
  writeFileSync(file, '{"v":2}');
  expect(() => readState(configSchema, file)).toThrow(expect.objectContaining({ code: "E_STATE_FILE" }));
});

test("one at a time holds a lock; a throw lets it go", async () => {
  const home = homeFolders(temporary());
  const file = join(home.state, "x.lock");
  let inside = 0;
  const work = async () => {
    expect(++inside).toBe(1);
    await Bun.sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 6 }, () => withLock(home, file, work)));
  await expect(withLock(home, file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await withLock(home, file, work);
  expect(readFileSync(file, "latin1").trim()).toBe(`${process.pid}`);
});

test("the policy: absent is none; not root's, writable by others, a link or garbage is E_POLICY", async () => {
  const { outside, policy } = await person();
  expect(readPolicy(outside)).toEqual({ v: 1, managed: [] });
  write(dirname(policy), "policy.json", '{"v":1,"managed":[]}');
  expect(readPolicy(outside)).toEqual({ v: 1, managed: [] });
  const code = (asked = outside) => {
    try {
      readPolicy(asked);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code({ ...outside, policyOwner: outside.policyOwner + 1 })).toBe("E_POLICY");
  chmodSync(policy, 0o664);
  expect(code()).toBe("E_POLICY");
  chmodSync(policy, 0o644);
  chmodSync(dirname(policy), 0o777);
  expect(code()).toBe("E_POLICY");
  chmodSync(dirname(policy), 0o755);
  writeFileSync(policy, "garbage");
  expect(code()).toBe("E_POLICY");
});

test("a session keeps the root of its first event and adds projects and processes", async () => {
  const { home, outside } = await person();
  const seen = { host: "codex", session: "../../etc", root: "/a", projects: ["p"], ends: false };
  await recordEvent(home, { ...seen, process: { pid: 7, start: "1" } }, outside);
  outside.at += 1000;
  await recordEvent(home, { ...seen, root: "/b", projects: ["q"], process: { pid: 7, start: "1" } }, outside);
  expect(readSession(home, "codex", "../../etc")).toMatchObject({
    ...{ root: "/a", projects: ["p", "q"], processes: [{ pid: 7, start: "1" }], ended: false },
    ...{ firstSeen: "2030-01-01T00:00:00.000Z", lastEvent: "2030-01-01T00:00:01.000Z" },
  });
  expect(readSession(home, "claude-code", "../../etc")).toBeUndefined();
});

test("a condition is news once, when it changes, and when it comes back", async () => {
  const { home, outside } = await person();
  const seen = { host: "codex", session: "s", root: "/a", projects: [], ends: false };
  await recordEvent(home, seen, outside);
  const told = (state: string | null) => newsOf(home, seen, { "@a/b#c": state });
  expect([
    await told("failed X"),
    await told("failed X"),
    await told("failed Y"),
    await told(null),
    await told("failed Y"),
  ]).toEqual([["@a/b#c"], [], ["@a/b#c"], [], ["@a/b#c"]]);
});
