import { afterEach, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateKey } from "@hookpkg/signing";
import type { Answer } from "@hookpkg/spec";
import { decideWithoutRuntime } from "../decision/without-runtime.ts";
import { readJournal } from "../journal/reading.ts";
import { addApprover } from "../person/approvers.ts";
import { closedAnywhere, readClosed } from "../person/closed.ts";
import { registerProject, USER } from "../person/projects.ts";
import {
  bash,
  consent,
  note,
  type PackageText,
  type Person,
  person,
  propose,
  send,
  states,
  sweepScratch,
  temporary,
  write,
} from "../test-project.ts";
import { approve } from "./approve.ts";
import { readProposals } from "./proposals.ts";
import { disable, safeMode } from "./way-out.ts";

afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
const cancel: Answer = { answer: "cancel", reason: "no" };

async function guarded(packages: Readonly<Record<string, PackageText>> = { "@acme/no-rm": {} }): Promise<Person> {
  const who = await person();
  await propose(who, packages);
  await consent(who);
  return who;
}

const signing = (who: Person) => ({
  signer: who.key,
  outside: who.outside,
  note: { ...note, at: "2031-01-01T00:00:00Z" },
});
const approvalsOf = (who: Person): unknown =>
  JSON.parse(readFileSync(join(who.home.state, "approvals.json"), "utf8")).projects[who.project.id];
const asked = async (who: Person) => (await send(who, {}, () => cancel)).decision;

test("a running session obeys before its next event; a closed guard that is off holds nothing", async () => {
  const who = await guarded();
  expect((await asked(who)).decision).toBe("cancel");
  await disable(who.home, who.project, [NAME], signing(who));
  expect(await asked(who)).toMatchObject({ decision: "continue", handlers: [] });
  await disable(who.home, who.project, [NAME], { ...signing(who), undo: true });
  expect((await asked(who)).decision).toBe("cancel");
});

test("undone, the approvals are what they were, note and place in the order too", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": {}, "@acme/three": {} });
  const before = approvalsOf(who);
  await disable(who.home, who.project, ["@acme/two#guard"], signing(who));
  await disable(who.home, who.project, ["@acme/two#guard"], signing(who)); // twice must not forget how it was
  expect(approvalsOf(who)).not.toEqual(before);
  await approve(who.home, who.project, [], signing(who)); // another decision in between
  await disable(who.home, who.project, ["@acme/two#guard"], { ...signing(who), undo: true });
  expect(approvalsOf(who)).toEqual(before);
  await safeMode(who.home, who.project, signing(who));
  await safeMode(who.home, who.project, { ...signing(who), undo: true });
  expect(approvalsOf(who)).toEqual(before);
});

test("undo switches on what was disabled only: a rejection stays one", async () => {
  const who = await guarded();
  await propose(who, { "@acme/no-rm": { files: { "guard.ts": "export default () => 2;\n" } } });
  await consent(who, "rejected");
  const before = approvalsOf(who);
  const { proposals } = await readProposals(who.home, who.project);
  const rejected = `@acme/no-rm#guard@${proposals[0]?.identity}` as typeof NAME; // the key of the rejection
  await disable(who.home, who.project, [rejected], { ...signing(who), undo: true });
  await disable(who.home, who.project, [rejected], signing(who));
  expect(approvalsOf(who)).toEqual(before);
});

test("a name that was never approved is refused, and nothing is written", async () => {
  const who = await guarded();
  const before = approvalsOf(who);
  const both = disable(who.home, who.project, [NAME, "@acme/none#x"], signing(who));
  await expect(both).rejects.toMatchObject({ code: "E_APPROVE_UNKNOWN" });
  expect(approvalsOf(who)).toEqual(before);
});

test("signed like an approval: no key that is not listed, no automation key while a host works, no edit by hand", async () => {
  const who = await guarded();
  const stranger = { ...signing(who), signer: await generateKey() };
  await expect(safeMode(who.home, who.project, stranger)).rejects.toMatchObject({ code: "E_APPROVE_KEY" });
  const script = await generateKey();
  await addApprover(who.home, { public: script.public, kind: "automation" }, who.key);
  await send(who);
  for (const work of [
    () => safeMode(who.home, who.project, { ...signing(who), signer: script }),
    () => disable(who.home, who.project, [NAME], { ...signing(who), signer: script }),
  ])
    await expect(work()).rejects.toMatchObject({ code: "E_APPROVE_SESSION_LIVE" });
  const file = join(who.home.state, "approvals.json");
  const all = JSON.parse(readFileSync(file, "utf8"));
  all.projects[who.project.id].safeMode = note;
  writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  expect(await asked(who)).toMatchObject({ decision: "cancel", handlers: [{ state: "held" }] });
});

test("safe mode switches off all of one project, and what the person has everywhere, in that project alone", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": { handlers: [{ event: "PostToolUse" }] } });
  const lock = readFileSync(join(who.root, ".hookpkg/lock.json"), "utf8");
  write(who.home.config, "lock.json", lock.replaceAll('"@acme/two"', '"@acme/mine"'));
  const mine = await readProposals(who.home, USER);
  const wanted = mine.proposals.map(({ name, identity }) => ({
    handler: name,
    identity,
    decided: "approved" as const,
  }));
  await approve(who.home, USER, wanted, signing(who));
  const other = join(temporary(), "other");
  write(other, ".hookpkg/project.json", "{}");
  await registerProject(who.home, other);
  await safeMode(who.home, who.project, signing(who));
  expect((await asked(who)).decision).toBe("continue");
  expect(await states(who)).toEqual({
    "@acme/one#guard": "disabled E_GATE_SAFE_MODE",
    "@acme/two#guard": "disabled E_GATE_SAFE_MODE",
  });
  const elsewhere = await send(who, { payload: bash(other, "ls", { session_id: "s2" }) }, () => cancel);
  expect(elsewhere.ran.map(({ name }) => name)).toEqual(["@acme/one#guard"]);
});

test("what a broken runtime goes by obeys, too: nothing that is off is guarded there", async () => {
  const who = await guarded();
  const plain = () => decideWithoutRuntime(who.home, [who.project.id], "PreToolUse", ["Bash"]).refuse;
  expect([plain(), closedAnywhere(who.home)]).toEqual([true, true]);
  for (const off of [
    (undo: boolean) => disable(who.home, who.project, [NAME], { ...signing(who), undo }),
    (undo: boolean) => safeMode(who.home, who.project, { ...signing(who), undo }),
  ]) {
    await off(false);
    expect([plain(), closedAnywhere(who.home), readClosed(who.home, who.project.id)]).toEqual([false, false, []]);
    await off(true);
    expect([plain(), closedAnywhere(who.home)]).toEqual([true, true]);
  }
  const { proposals } = await readProposals(who.home, who.project);
  const wanted = proposals.map(({ name, identity }) => ({ handler: name, identity, decided: "approved" as const }));
  write(who.home.config, "lock.json", readFileSync(join(who.root, ".hookpkg/lock.json"), "utf8"));
  await approve(who.home, USER, wanted, signing(who));
  await safeMode(who.home, who.project, signing(who));
  expect(plain()).toBe(false);
});

test("decisions made at the same time are all kept", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": {}, "@acme/three": {} });
  await Promise.all([
    disable(who.home, who.project, ["@acme/one#guard"], signing(who)),
    safeMode(who.home, who.project, signing(who)),
    disable(who.home, who.project, ["@acme/three#guard"], signing(who)),
  ]);
  await safeMode(who.home, who.project, { ...signing(who), undo: true });
  expect(await states(who)).toEqual({
    "@acme/one#guard": "disabled E_GATE_DISABLED",
    "@acme/two#guard": "trusted",
    "@acme/three#guard": "disabled E_GATE_DISABLED",
  });
});

test("a managed handler goes on: the person's switches do not reach it", async () => {
  const who = await guarded();
  const { proposals } = await readProposals(who.home, who.project);
  const managed = proposals.map(({ name, identity }) => ({
    ...{ handler: name, identity, registry: "https://registry.test", integrity: `sha512-${"A".repeat(86)}==` },
  }));
  write(dirname(who.policy), "policy.json", JSON.stringify({ v: 1, managed }));
  await disable(who.home, who.project, [NAME], signing(who));
  await safeMode(who.home, who.project, signing(who));
  expect(await asked(who)).toMatchObject({ decision: "cancel", handlers: [{ handler: NAME, state: "managed" }] });
});

test("a session is told loudly, once and when it changes, of what is off; the model is not", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": {} });
  const loud = async () => {
    const decision = await asked(who);
    expect(`${decision.reason} ${decision.context}`).not.toMatch(/safe-mode|disable|SAFE MODE/);
    return decision.person.filter((line) => /OFF|SAFE MODE/.test(line));
  };
  expect(await loud()).toEqual([]);
  await disable(who.home, who.project, ["@acme/one#guard"], signing(who));
  expect(await loud()).toEqual(["hookpkg: 1 HOOK IS OFF until hookpkg disable --undo: @acme/one#guard"]);
  expect(await loud()).toEqual([]);
  await safeMode(who.home, who.project, signing(who));
  expect(await loud()).toEqual([expect.stringContaining("SAFE MODE: 2 HOOKS ARE OFF until hookpkg safe-mode --undo")]);
  await safeMode(who.home, who.project, { ...signing(who), undo: true });
  expect(await loud()).toEqual([expect.stringContaining("1 HOOK IS OFF")]);
});

test("the journal says of each handler that was off that it was, and why", async () => {
  const who = await guarded();
  await disable(who.home, who.project, [NAME], signing(who));
  await asked(who);
  await safeMode(who.home, who.project, signing(who));
  await asked(who);
  expect(readJournal(who.home, who.project.id, { limit: 9 })).toMatchObject([
    { handler: NAME, matched: true, outcome: "skipped", code: "E_GATE_DISABLED", told: "continue" },
    { handler: NAME, matched: true, outcome: "skipped", code: "E_GATE_DISABLED", told: "continue" },
  ]);
});

test("what is off is not asked about, and a reference to it is not dead", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": { handlers: [{ after: ["@acme/one"] }] } });
  await disable(who.home, who.project, ["@acme/one#guard"], signing(who));
  await propose(who, {
    "@acme/one": { files: { "guard.ts": "export default () => 2;\n" } },
    "@acme/two": { handlers: [{ after: ["@acme/one"] }] },
  });
  const { ran, decision } = await send(who, {}, () => ({ answer: "continue" }));
  expect(ran.map(({ name }) => name)).toEqual(["@acme/two#guard"]);
  expect(decision.person.filter((line) => line.includes("waits"))).toEqual([]);
});

test("three refusals in a row by one handler, and the person's line names the way out, with its name; the model's does not", async () => {
  const who = await guarded({ "@acme/one": {}, "@acme/two": {} });
  const refusedBy = async (id: string) => {
    const { decision } = await send(who, {}, ({ name }) =>
      name === `@acme/${id}#guard` ? cancel : { answer: "continue" },
    );
    expect(decision.reason).not.toMatch(/disable|safe-mode/);
    return decision.person.filter((line) => /disable|safe-mode/.test(line));
  };
  expect([await refusedBy("one"), await refusedBy("one"), await refusedBy("two"), await refusedBy("two")]).toEqual([
    [],
    [],
    [],
    [],
  ]);
  expect(await refusedBy("two")).toEqual([
    "hookpkg: in another terminal: hookpkg disable '@acme/two#guard' or hookpkg safe-mode",
  ]);
  expect(await refusedBy("one")).toEqual([]);
});

test("an event that a host tells twice is one refusal: it neither counts again nor ends the row", async () => {
  const who = await guarded();
  const told: boolean[] = [];
  for (const id of ["t1", "t1", "t2", "t2", "t3"]) {
    const payload = bash(who.root, "rm -rf x", { tool_use_id: id });
    const { decision } = await send(who, { payload }, () => cancel);
    told.push(decision.person.some((line) => line.includes("hookpkg disable")));
  }
  expect(told).toEqual([false, false, false, false, true]);
});

test("of a managed handler no way out is told that there is not", async () => {
  const who = await guarded();
  const { proposals } = await readProposals(who.home, who.project);
  const managed = proposals.map(({ name, identity }) => ({
    ...{ handler: name, identity, registry: "https://registry.test", integrity: `sha512-${"A".repeat(86)}==` },
  }));
  write(dirname(who.policy), "policy.json", JSON.stringify({ v: 1, managed }));
  for (let n = 0; n < 2; n++) await asked(who);
  const { person: told } = await asked(who);
  expect(told.join()).toContain("this machine's policy");
  expect(told.join()).not.toContain("disable");
});
