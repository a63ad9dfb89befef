import { afterEach, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decideWithoutRuntime } from "../decision/without-runtime.ts";
import { registerProject } from "../person/projects.ts";
import { consent, note, type Person, person, propose, send, states, sweepScratch, temporary } from "../test-project.ts";
import { approve, drop, startOver } from "./approve.ts";
import { trustView } from "./trust-view.ts";
import { safeMode } from "./way-out.ts";

/** Files of the state that are lost, or put back as they were, are no consent: what was guarded is held, and the person is told. */
afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
async function guarded(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": { handlers: [{ matcher: "Bash" }] } });
  await consent(who);
  return who;
}

test.each(["deleted", "emptied"])(
  "the list of projects %s: the roots that were signed are known, and come back",
  async (how) => {
    const who = await guarded();
    const file = join(who.home.state, "projects.json");
    if (how === "deleted") rmSync(file);
    else writeFileSync(file, '{"v":1,"projects":{}}', { mode: 0o600 });
    expect(await ran(who)).toEqual([NAME]);
    expect((await registerProject(who.home, who.root)).id).toBe(who.project.id);
    expect(readFileSync(file, "utf8")).toContain(who.project.id);
  },
);

test("the whole state is gone, and the keys say that something was approved: tool calls are held", async () => {
  const who = await guarded();
  rmSync(who.home.state, { recursive: true });
  const { decision } = await send(who);
  expect(decision.decision).toBe("cancel");
  expect(decision.person?.join("\n")).toContain("E_APPROVALS_ABSENT");
  expect(decideWithoutRuntime(who.home, undefined, "PreToolUse", ["Bash"]).refuse).toBe(true);
  await startOver(who.home, who.key);
  expect((await send(who)).decision.decision).toBe("continue");
});

test("the state of before the first approval, put back: tool calls are held, and the person is told", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  const old = join(temporary(), "state");
  cpSync(who.home.state, old, { recursive: true });
  await consent(who);
  rmSync(who.home.state, { recursive: true });
  cpSync(old, who.home.state, { recursive: true });
  const { decision } = await send(who);
  expect([decision.decision, decision.person?.join("\n")]).toEqual([
    "cancel",
    expect.stringContaining("E_APPROVALS_ABSENT"),
  ]);
});

test("approvals and the list of projects deleted: what closed files guard is held, wherever it was", async () => {
  const who = await guarded();
  for (const name of ["approvals.json", "projects.json"]) rmSync(join(who.home.state, name));
  expect((await send(who)).decision.decision).toBe("cancel");
});

/** Two approvals, and the file of the first put in the place of the second's. */
async function replayed(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/other": { handlers: [{ matcher: "Read" }] } });
  await consent(who);
  const file = join(who.home.state, "approvals.json");
  const old = readFileSync(file);
  await propose(who, { "@acme/other": { handlers: [{ matcher: "Read" }] }, "@acme/no-rm": {} });
  await consent(who);
  writeFileSync(file, old);
  return who;
}

test("an older signed file: the guard that it lacks is held, told, and stays so until the person decides", async () => {
  const who = await replayed();
  const { decision } = await send(who);
  expect([decision.decision, decision.person?.join("\n")]).toEqual([
    "cancel",
    expect.stringContaining("E_APPROVALS_OLDER"),
  ]);
  const { handlers } = await trustView(who.home, who.project, who.outside);
  expect(handlers.find(({ name }) => name === NAME)).toMatchObject({ state: "held", change: "changed" });
  const other = handlers.find(({ name }) => name === "@acme/other#guard");
  const again = [{ handler: "@acme/other#guard", identity: other?.identity ?? "hk1:", decided: "approved" }] as const;
  await approve(who.home, who.project, again, { signer: who.key, note, outside: who.outside });
  expect((await send(who, { host: "codex" })).decision.decision).toBe("cancel");
  await consent(who);
  expect(await states(who)).toEqual({ "@acme/other#guard": "trusted", [NAME]: "trusted" });
});

test("a guard that an older file lacks is let go of by its name, and by safe mode", async () => {
  const who = await replayed();
  await safeMode(who.home, who.project, { signer: who.key, note, outside: who.outside });
  expect((await send(who)).decision.decision).toBe("continue");
  await safeMode(who.home, who.project, { signer: who.key, note, outside: who.outside, undo: true });
  expect((await send(who, { host: "codex" })).decision.decision).toBe("cancel");
  await drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside });
  expect((await send(who, { host: "qwen-code" })).decision.decision).toBe("continue");
});

test("an older file of a project that it does not know, and no list: its guards are held everywhere, and can be let go", async () => {
  const who = await person();
  await consent(who);
  const file = join(who.home.state, "approvals.json");
  const elsewhere = { ...who, root: temporary() };
  const other = { ...elsewhere, project: await registerProject(who.home, elsewhere.root) };
  const old = readFileSync(file);
  await propose(other, { "@acme/no-rm": {} });
  await consent(other);
  writeFileSync(file, old);
  rmSync(join(who.home.state, "projects.json"));
  expect((await send(other)).decision.decision).toBe("cancel");
  await registerProject(who.home, who.root);
  await drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside });
  expect((await send(other, { host: "codex" })).decision.decision).toBe("continue");
});

async function ran(who: Person): Promise<string[]> {
  return (await send(who)).ran.map(({ name }) => name);
}
