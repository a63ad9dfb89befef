import { afterEach, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { treePath } from "@hookpkg/archive";
import { dispatch } from "./dispatch.ts";
import { openEngine } from "./engine.ts";
import { readJournal } from "./journal/reading.ts";
import { bash, consent, type Person, person, propose, sweepScratch } from "./test-project.ts";

afterEach(sweepScratch);

const GUARD = `
export default ({ tool_input }) =>
  String(tool_input.command).includes("rm -rf") ? { answer: "cancel", reason: "no rm -rf here" } : undefined;
`;

function ask(who: Person, command: string) {
  const engine = openEngine({
    home: who.home,
    env: { API_TOKEN: "s3cret-s3cret" },
    worker: process.execPath,
    outside: who.outside,
  });
  return dispatch({ payload: bash(who.root, command), host: "claude-code", canAsk: true }, engine);
}

test("real sandbox: an approved module and an approved command guard a call, and tampering holds it", async () => {
  const who = await person();
  const shell = {
    id: "shell",
    type: "command",
    command: "grep -q sudo && { echo no sudo >&2; exit 2; }; exit 0",
    module: undefined,
  };
  const lock = await propose(who, { "@acme/no-rm": { handlers: [{}, shell], files: { "guard.ts": GUARD } } });
  await consent(who);
  expect(await ask(who, "ls")).toMatchObject({ decision: "continue" });
  expect(await ask(who, "rm -rf /")).toMatchObject({ decision: "cancel", reason: "@acme/no-rm#guard: no rm -rf here" });
  expect(await ask(who, "sudo ls")).toMatchObject({ decision: "cancel", reason: "@acme/no-rm#shell: no sudo" });
  const journal = readJournal(who.home, who.project.id, { limit: 10 });
  expect(journal.map(({ handler, outcome, told }) => `${handler} ${outcome} ${told}`)).toEqual([
    "@acme/no-rm#guard answered continue",
    "@acme/no-rm#shell answered continue",
    "@acme/no-rm#guard answered cancel",
    "@acme/no-rm#shell not-reached cancel",
    "@acme/no-rm#guard answered cancel",
    "@acme/no-rm#shell answered cancel",
  ]);
  const file = join(treePath(who.home.store, lock.packages["@acme/no-rm"]?.tree ?? "sha256:"), "guard.ts");
  chmodSync(file, 0o644);
  writeFileSync(file, "export default () => undefined;\n");
  expect(await ask(who, "ls")).toMatchObject({
    decision: "cancel",
    handlers: [{ state: "held" }, { outcome: "not-reached" }],
  });
}, 60_000);

test("real sandbox: a worker's binary that isn't there refuses what a closed guard guards", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  const engine = openEngine({ home: who.home, env: {}, worker: "/nonexistent/bun", outside: who.outside });
  const decision = await dispatch({ payload: bash(who.root, "ls"), host: "codex", canAsk: true }, engine);
  expect(decision).toMatchObject({ decision: "cancel", handlers: [{ outcome: "held", why: "E_SANDBOX_START" }] });
});
