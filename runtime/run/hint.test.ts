import { describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_CAPABILITIES, type Outcome } from "@hookpkg/spec";
import { hintsFor } from "./hint.ts";
import { folder, module, shell } from "./test-run.ts";

const standing = { projects: ["/home/u/app"], home: "/home/u", capabilities: NO_CAPABILITIES };
const failed = (stderr: string): Outcome => ({ outcome: "failed", why: "E_ANSWER_EXIT", stderr, ms: 1 });

test.each([
  [
    "cat: /etc/passwd: No such file or directory",
    ['perhaps /etc/passwd (ENOENT): would be given by "read": ["/etc/passwd"]'],
  ],
  ["cat: /nowhere/at/all: No such file or directory", []],
  [
    "/plugin/a.sh: 3: cannot create /home/u/app/out/x: Read-only file system",
    ['perhaps /home/u/app/out/x (EROFS): would be given by "write": ["out/**"]'],
  ],
  [
    "Error: EACCES: permission denied, open '/home/u/app/a b'",
    ['perhaps /home/u/app/a b (EACCES): would be given by "project": "read"'],
  ],
  [
    "mkdir: cannot create directory ‘/home/u/app/.git/x’: Operation not permitted",
    ["perhaps /home/u/app/.git/x (EPERM)"],
  ],
  ["curl: (6) Could not resolve host: example.com", ['perhaps the network: would be given by "net": ["HOST:PORT"]']],
  [
    "Error: EPERM: operation not permitted, posix_spawn 'ls'",
    ["perhaps a program: a module starts none, a command does"],
  ],
  ["cat: /plugin/words: No such file or directory", []],
  ["something else went wrong at /etc/passwd", []],
])("%j", (stderr, hints) => {
  expect(hintsFor(failed(stderr), standing)).toEqual(hints);
});

test("an answer needs no hint, and hints are few and said once", () => {
  expect(
    hintsFor(
      { outcome: "answered", answer: { answer: "continue" }, stderr: "x: /etc/passwd: Permission denied", ms: 1 },
      standing,
    ),
  ).toEqual([]);
  const lines = Array.from({ length: 50 }, (_, n) => `x: /srv/${n % 9}: Permission denied`).join("\n");
  expect(hintsFor(failed(lines), standing).length).toBe(5);
});

describe("from the real sandbox into the outcome", () => {
  const home = realpathSync(folder());
  const project = join(home, "app");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  const call = { project, home };

  test("a command that misses a file of the project", async () => {
    expect(await shell(`cat '${project}/package.json' || exit 1`, { call })).toMatchObject({
      ...{
        outcome: "failed",
        denied: [`perhaps ${project}/package.json (ENOENT): would be given by "project": "read"`],
      },
    });
  });

  test("a module that misses one of the home, the network and a program", async () => {
    writeFileSync(join(home, "rc"), "");
    const said = (body: string) =>
      module(`import { readFileSync } from "node:fs"; export default async () => { ${body} }`, { call });
    expect(await said(`readFileSync("${home}/rc")`)).toMatchObject({
      denied: [`perhaps ${home}/rc (ENOENT): would be given by "read": ["~/rc"]`],
    });
    expect(await said(`await fetch("http://example.com/")`)).toMatchObject({
      denied: [expect.stringContaining('"net"')],
    });
    expect(await said(`Bun.spawnSync(["/opt/hookpkg/hookpkg"])`)).toMatchObject({
      denied: [expect.stringContaining("a program")],
    });
  });

  test("with the right there is nothing to say", async () => {
    const outcome = await shell(`cat '${project}/package.json'; exit 1`, { call, capabilities: { project: "read" } });
    expect(outcome.denied).toBeUndefined();
  });
});
