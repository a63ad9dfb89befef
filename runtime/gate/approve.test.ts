import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey, type PrivateKey } from "@hookpkg/signing";
import type { HandlerName } from "@hookpkg/spec";
import { ancestorsOf } from "../outside.ts";
import { readApprovals } from "../person/approvals.ts";
import { addApprover, readApprovers } from "../person/approvers.ts";
import { readClosed } from "../person/closed.ts";
import { SESSION_IDLE_MS } from "../person/sessions.ts";
import { bash, consent, note, type Person, person, propose, send, states, sweepScratch } from "../test-project.ts";
import { approve, drop, startOver } from "./approve.ts";
import { refuseInsideHost } from "./inside-host.ts";
import { trustView } from "./trust-view.ts";

afterEach(sweepScratch);

const NAME: HandlerName = "@acme/no-rm#guard";

async function waiting(): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  return who;
}

async function automation(who: Person): Promise<PrivateKey> {
  const key = await generateKey();
  await addApprover(who.home, { public: key.public, kind: "automation" }, who.key);
  return key;
}

test("what is not proposed can't be approved: another name, another identity, none", async () => {
  const who = await waiting();
  const identity = `hk1:${"B".repeat(43)}` as const;
  for (const handler of [NAME, "@acme/other#guard"] as const) {
    const wanted = [{ handler, identity, decided: "approved" }] as const;
    const signed = { signer: who.key, note, outside: who.outside };
    await expect(approve(who.home, who.project, wanted, signed)).rejects.toMatchObject({ code: "E_APPROVE_UNKNOWN" });
  }
  await expect(drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside })).rejects.toMatchObject({
    code: "E_APPROVE_UNKNOWN",
  });
  expect(await readApprovals(who.home)).toEqual({ read: "absent" });
});

test("nothing is approved in a project that is not registered", async () => {
  const who = await waiting();
  await expect(consent({ ...who, project: { id: "0".repeat(32), root: who.root } })).rejects.toMatchObject({
    code: "E_PROJECT_UNKNOWN",
  });
});

test("an automation key is refused while a host session of this project is live, and taken after it", async () => {
  const who = await waiting();
  const key = await automation(who);
  await send(who);
  await expect(consent(who, "approved", key)).rejects.toMatchObject({ code: "E_APPROVE_SESSION_LIVE" });
  who.outside.at += SESSION_IDLE_MS - 1;
  await expect(consent(who, "approved", key)).rejects.toMatchObject({ code: "E_APPROVE_SESSION_LIVE" });
  who.outside.at += 2;
  await consent(who, "approved", key);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
});

test("SessionEnd ends a session; a new event begins it again; a clock set back does not end it", async () => {
  const who = await waiting();
  const key = await automation(who);
  await send(who);
  const end = { hook_event_name: "SessionEnd", session_id: "s1", transcript_path: null, cwd: who.root } as const;
  await send(who, { payload: end });
  await consent(who, "approved", key);
  await send(who);
  await propose(who, {});
  const dropping = () => drop(who.home, who.project, [NAME], { signer: key, outside: who.outside });
  await expect(dropping()).rejects.toMatchObject({ code: "E_APPROVE_SESSION_LIVE" });
  who.outside.at -= 365 * 24 * 3600 * 1000;
  await expect(dropping()).rejects.toMatchObject({ code: "E_APPROVE_SESSION_LIVE" });
});

test("native is no host: it keeps no automation key waiting; a person's key never waits", async () => {
  const who = await waiting();
  const key = await automation(who);
  await send(who, { host: "native" });
  await consent(who, "approved", key);
  await send(who);
  await propose(who, { "@acme/no-rm": { files: { "guard.ts": "export default 2;\n" } } });
  await consent(who);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
});

test("another approver is listed only with a listed person's key", async () => {
  const who = await waiting();
  const first = await automation(who);
  const second = await generateKey();
  const add = (vouching?: PrivateKey) => addApprover(who.home, { public: second.public, kind: "person" }, vouching);
  await expect(add()).rejects.toMatchObject({ code: "E_APPROVERS_KEY" });
  await expect(add(second)).rejects.toMatchObject({ code: "E_APPROVERS_KEY" });
  await expect(add(first)).rejects.toMatchObject({ code: "E_APPROVERS_KEY" });
  await add(who.key);
  expect(readApprovers(who.home).keys.map(({ kind }) => kind)).toEqual(["person", "automation", "person"]);
});

test("unreadable approvals are never written over", async () => {
  const who = await waiting();
  await consent(who);
  const file = join(who.home.state, "approvals.json");
  await Bun.write(file, readFileSync(file, "utf8").replace("tester", "other"));
  await propose(who, { "@acme/no-rm": { files: { "guard.ts": "export default 2;\n" } } });
  const wanted = [{ handler: NAME, identity: `hk1:${"B".repeat(43)}`, decided: "approved" }] as const;
  const signed = { signer: who.key, note, outside: who.outside };
  await expect(approve(who.home, who.project, wanted, signed)).rejects.toMatchObject({
    code: "E_APPROVE_UNREADABLE",
    facts: { why: "E_APPROVALS_SIGNATURE" },
  });
});

test("the closed files follow the approvals, and closed/any the tool guards", async () => {
  const who = await waiting();
  const any = join(who.home.state, "closed", "any");
  expect([readClosed(who.home, who.project.id), existsSync(any)]).toEqual([[], false]);
  await consent(who);
  expect([readClosed(who.home, who.project.id), existsSync(any)]).toEqual([
    [{ handler: NAME, event: "PreToolUse", matcher: null }],
    true,
  ]);
  await drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside });
  expect([readClosed(who.home, who.project.id), existsSync(any)]).toEqual([[], false]);
});

test("an approval supersedes the earlier one of that handler, and says so", async () => {
  const who = await waiting();
  await consent(who);
  const first = await entry(who);
  await propose(who, { "@acme/no-rm": { files: { "guard.ts": "export default 2;\n" } } });
  await consent(who);
  expect((await entry(who))?.supersedes).toBe(first?.identity ?? "hk1:");
});

test("approve refuses inside a host: by its mark, or by a recorded process among the ancestors", async () => {
  const who = await waiting();
  const inside = { envNames: ["PATH"], ancestors: ancestorsOf(process.pid) };
  refuseInsideHost(who.home, inside, who.outside);
  expect(() => refuseInsideHost(who.home, { ...inside, envNames: ["CLAUDECODE"] }, who.outside)).toThrow(
    expect.objectContaining({ code: "E_APPROVE_IN_HOST" }),
  );
  const [parent] = inside.ancestors;
  if (parent === undefined) throw new Error("a test has a parent");
  await send(who, { hostProcess: { ...parent, start: "1" } });
  refuseInsideHost(who.home, inside, who.outside); // another process had this number once
  await send(who, { payload: bash(who.root, "ls", { session_id: "s2" }), hostProcess: parent });
  const facts = {
    pid: parent.pid,
    host: "claude-code",
    session: "s2",
    until: expect.stringContaining(`${parent.pid}`),
  };
  const refused = expect.objectContaining({ code: "E_APPROVE_IN_HOST", facts });
  expect(() => refuseInsideHost(who.home, inside, who.outside)).toThrow(refused);
  const end = { hook_event_name: "SessionEnd", session_id: "s2", cwd: who.root, transcript_path: null } as const;
  await send(who, { payload: end, hostProcess: parent }); // an agent could have made it up
  expect(() => refuseInsideHost(who.home, inside, who.outside)).toThrow(refused);
});

test("approvals made at the same time are all kept", async () => {
  const who = await person();
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `@acme/${name}`);
  const lock = await propose(who, Object.fromEntries(names.map((name) => [name, {}])));
  await Promise.all(
    names.map((name) => {
      const identity = lock.packages[name]?.handlers.guard ?? "hk1:";
      const wanted = [{ handler: `${name}#guard`, identity, decided: "approved" }] as const;
      return approve(who.home, who.project, wanted, { signer: who.key, note, outside: who.outside });
    }),
  );
  expect(Object.values(await states(who))).toEqual(names.map(() => "trusted"));
});

async function entry(who: Person) {
  const read = await readApprovals(who.home);
  return read.read === "signed" ? read.projects[who.project.id]?.entries[NAME] : undefined;
}

test("what a broken runtime goes by is widened before the approvals change, and narrowed only after", async () => {
  const who = await waiting();
  const any = join(who.home.state, "closed", "any");
  const broken = { ...who.key, pkcs8: new Uint8Array(48) }; // fails between the two: when it is to sign
  const guarded = () => [(readClosed(who.home, who.project.id) ?? []).map(({ handler }) => handler), existsSync(any)];
  await consent(who);
  await expect(drop(who.home, who.project, [NAME], { signer: broken, outside: who.outside })).rejects.toThrow();
  expect(guarded()).toEqual([[NAME], true]);
  await propose(who, { "@acme/no-rm": {}, "@acme/new": {} });
  const { handlers } = await trustView(who.home, who.project, who.outside);
  const identity = handlers.find(({ name }) => name === "@acme/new#guard")?.identity ?? "hk1:";
  const wanted = [{ handler: "@acme/new#guard", identity, decided: "approved" }] as const;
  await expect(
    approve(who.home, who.project, wanted, { signer: broken, note, outside: who.outside }),
  ).rejects.toThrow();
  expect(guarded()).toEqual([[NAME, NAME, "@acme/new#guard"], true]);
  expect(await states(who)).toEqual({ [NAME]: "trusted", "@acme/new#guard": "held changed E_APPROVALS_OLDER" });
});

test("a first approval that dies half-way leaves a beginning, not a loss", async () => {
  const who = await waiting();
  const broken = { ...who.key, pkcs8: new Uint8Array(48) };
  await expect(consent(who, "approved", broken)).rejects.toThrow();
  await consent(who);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
});

test("approvals that can't be read are started over by a person's key alone, and everything waits again", async () => {
  const who = await waiting();
  const key = await automation(who);
  await consent(who);
  await startOver(who.home, who.key);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
  await Bun.write(join(who.home.state, "approvals.json"), "garbage");
  await expect(startOver(who.home, key)).rejects.toMatchObject({ code: "E_APPROVE_KEY" });
  await startOver(who.home, who.key);
  expect(await states(who)).toEqual({ [NAME]: "untrusted" });
  expect([readClosed(who.home, who.project.id), (await send(who)).decision.decision]).toEqual([[], "continue"]);
});
