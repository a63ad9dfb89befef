import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { leftOvers } from "./canaries.ts";
import { type Hostile, openScene, removeFolder, run, type Scene } from "./hostile.ts";

setDefaultTimeout(120_000);

let scene: Scene;
let base: string;
const mark = `9${process.pid}${Math.floor(1e5 + Math.random() * 9e5)}`;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "hookpkg-beside-")));
  chmodSync(base, 0o755);
  mkdirSync(join(base, "project"));
  scene = openScene(base, join(base, "project"));
});
afterEach(() => removeFolder(join(base, "data/data")));
afterAll(() => removeFolder(base));

const shell = (command: string, more: Partial<Hostile> = {}): Hostile => ({
  ...more,
  run: { type: "command", command },
});
const module = (body: string, more: Partial<Hostile> = {}): Hostile => ({
  ...{ ...more, run: { type: "module", module: "./guard.ts" } },
  files: { "guard.ts": `export default async (event, ctx) => {\n${body}\n};\n` },
});

/** A guard of another package that needs a process, a file and memory of its own to answer. */
const neighbour: Hostile = {
  ...shell(
    'n=$(printf %s fine | wc -c); head -c 1000000 /dev/zero >/tmp/x && echo kept >/data/n && sh -c "echo $n" >&2; exit 2',
  ),
  name: "@other/guard",
};
const otherModule = { ...module("return { answer: 'cancel', reason: 'fine' };"), name: "@other/module" };

test.each([
  ["a fork bomb", shell(`: ${mark}; f() { f | f & }; f; sleep 2; exit 2`, { timeoutSeconds: 4 })],
  [
    "processes that stay",
    shell(`i=0; while [ $i -lt 400 ]; do sleep ${mark} & i=$((i+1)); done; sleep 2`, { timeoutSeconds: 4 }),
  ],
  [
    "a memory bomb of a command",
    shell(`for i in 1 2 3 4 5 6 7 8; do perl -e 'my $x = "x" x 150_000_000; sleep 4' & done; wait`),
  ],
  ["a memory bomb of a module", module("const held = []; for (;;) held.push(new Uint8Array(16e6).fill(1));")],
  [
    "open files without end",
    shell(`perl -e 'my @f; while (open(my $f, "<", "/dev/null")) { push @f, $f } sleep 1'; exit 2`),
  ],
  ["a full /tmp", shell("for i in 1 2 3; do head -c 8000000 /dev/zero >/tmp/$i; done; sleep 1; exit 2")],
  ["a full data folder", shell("i=0; while :; do i=$((i+1)); head -c 8000000 /dev/zero >/data/$i; done")],
  ["floods on both streams", shell("yes & yes >&2")],
  [
    "an endless loop on every processor",
    shell("for i in 1 2 3 4; do (while :; do :; done) & done; wait", { timeoutSeconds: 3 }),
  ],
  ["a frame without end", module("return { answer: 'cancel', reason: 'x'.repeat(3e8) };")],
])("%s hurts only itself", async (_, hostile) => {
  const attack = run(scene, hostile);
  const beside: Outcome[] = [];
  for (let round = 0; round < 4; round++)
    beside.push(...(await Promise.all([run(scene, neighbour), run(scene, otherModule)])));
  const outcome = await attack;
  expect(beside.map(said)).toEqual(Array.from({ length: 4 }, () => ["4", "fine"]).flat());
  expect(said(outcome)).not.toMatch(/^(4|fine)$/);
  expect(await gone()).toEqual([]);
  expect(said(await run(scene, neighbour))).toBe("4");
});

test.each([
  ["memory", 'for (1 .. 6) { fork or do { my $x = "x" x 60_000_000; sleep 30; exit } } sleep 30', "E_RUN_MEMORY"],
  ["its data folder", 'for (1 .. 1000) { open F, ">", "/data/$_"; print F "x" x 4_000_000 }', "E_RUN_QUOTA"],
  ["processes", "for (1 .. 300) { fork or do { sleep 30; exit } } sleep 30", "E_RUN_PROCESSES|E_RUN_LATE"],
])("a service that fills %s is ended", async (_, body, why) => {
  const service = `$| = 1; print "{\\"ready\\":1}\\n"; my $call = <STDIN>; ${body}`;
  const limits = { memoryMiB: 128, dataMiB: 16 };
  const outcome = await run(scene, {
    ...{ name: "@abuse/service", rights: { limits }, timeoutSeconds: 10, files: { "s.pl": service } },
    run: { type: "service", argv: ["/usr/bin/perl", "${PLUGIN_ROOT}/s.pl"] },
  });
  expect("why" in outcome ? outcome.why : outcome.outcome).toMatch(new RegExp(`^(${why})$`));
  expect(said(await run(scene, neighbour))).toBe("4");
});

test("many hostile calls at once leave no process and the next one answers", async () => {
  const scripts = [
    "exec sleep MARK",
    "sleep MARK & exit 2",
    "(setsid sleep MARK &) ; exit 2",
    "trap '' TERM; sleep MARK; sleep MARK",
    "kill -9 $$",
  ];
  const calls = scripts.flatMap((script, n) =>
    [1, 2].map((round) =>
      run(scene, { ...shell(script.replaceAll("MARK", mark), { timeoutSeconds: 2 }), name: `@abuse/n${n}-${round}` }),
    ),
  );
  expect((await Promise.all(calls)).length).toBe(10);
  expect(await gone()).toEqual([]);
  expect(said(await run(scene, neighbour))).toBe("4");
});

function said(outcome: Outcome): string {
  return outcome.outcome === "answered" && "reason" in outcome.answer ? outcome.answer.reason : JSON.stringify(outcome);
}

/** A killed process is seen for a moment more. */
async function gone(): Promise<string[]> {
  for (let look = 0; look < 100 && leftOvers(mark).length > 0; look++) await Bun.sleep(20);
  return leftOvers(mark);
}
