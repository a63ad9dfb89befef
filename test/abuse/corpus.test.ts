import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { asUser, canBecomeUser, readable } from "../as-user.ts";
import { type Case, readCases } from "./case.ts";
import type { Row } from "./corpus.ts";

/** Whoever runs the tests; root can become a user, too. */
const USERS = canBecomeUser ? (["as root", "as a user"] as const) : (["as a user"] as const);
type User = (typeof USERS)[number];

const cases = readCases();
const rows = new Map<User, readonly Row[]>();

// One after the other: together they would be late for reasons of their own.
beforeAll(() => {
  for (const user of USERS) {
    const { exitCode, stdout, stderr } = runAs(user);
    if (exitCode !== 0) throw new Error(`the corpus ended with ${exitCode}: ${stderr.toString().slice(-2000)}`);
    const lines = stdout.toString().trim().split("\n");
    rows.set(
      user,
      lines.map((line): Row => JSON.parse(line)),
    );
  }
}, 600_000);

function runAs(user: User) {
  const program = "test/abuse/corpus.ts";
  if (user === "as a user" && canBecomeUser) {
    const { bun, tree } = readable();
    return asUser([bun, join(tree, program)], tree);
  }
  const root = join(import.meta.dir, "../..");
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  return Bun.spawnSync([process.execPath, join(root, program)], { cwd: root, env, stdout: "pipe", stderr: "pipe" });
}

describe.each(USERS)("%s", (user) => {
  test.each(cases.map(({ id, attempt }) => [id, attempt] as const))("%s: %s", (id) => {
    expect(rows.get(user)?.find((row) => row.id === id)?.faults).toEqual([]);
  });
});

if (USERS.length < 2) test(`NOT TRIED as root: the corpus ran as user ${process.getuid?.()} only`, () => {});

test("ids are unique, and every case says what stops it", () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(cases.filter(({ by, attempt }) => by === "" || attempt === "")).toEqual([]);
});

afterAll(() => {
  const width = (of: (one: Case) => string) => Math.max(...cases.map((one) => of(one).length)) + 2;
  const [attempts, means] = [width(({ attempt }) => attempt), width(({ by }) => by)];
  for (const { id, attempt, by } of cases) {
    const ends = USERS.map((user) => `${user}: ${endOf(rows.get(user)?.find((row) => row.id === id))}`.padEnd(46));
    console.log(`${id.padEnd(5)}${attempt.padEnd(attempts)}${by.padEnd(means)}${ends.join("")}`.trimEnd());
  }
});

function endOf(row: Row | undefined): string {
  if (row === undefined) return "NOT RUN";
  return row.faults.length > 0
    ? "NOT CONTAINED"
    : row.outcome.startsWith("not tried")
      ? row.outcome
      : `contained, ${row.outcome}`;
}
