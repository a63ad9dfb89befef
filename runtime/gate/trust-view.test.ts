import { afterEach, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { treePath } from "@hookpkg/archive";
import { generateKey } from "@hookpkg/signing";
import { LOCK_FILE, PROJECT_FILE } from "@hookpkg/spec";
import { writeConfig } from "../person/config.ts";
import {
  consent,
  lockOf,
  note,
  type Person,
  person,
  propose,
  proposeLocal,
  states,
  sweepScratch,
  write,
} from "../test-project.ts";
import { approve, drop } from "./approve.ts";
import { isWaiting, trustView } from "./trust-view.ts";
import { disable } from "./way-out.ts";

afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
const changed = { files: { "guard.ts": "export default () => 2;\n" } };

async function approved(text = {}): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": text });
  await consent(who);
  return who;
}

test("untrusted: proposed and never approved", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  expect(await states(who)).toEqual({ [NAME]: "untrusted" });
});

test("trusted: approved, its bytes in the store", async () => {
  expect(await states(await approved())).toEqual({ [NAME]: "trusted" });
});

test("modified: the lock proposes other bytes; approving them makes it trusted, going back is older", async () => {
  const who = await approved();
  await propose(who, { "@acme/no-rm": changed });
  expect(await states(who)).toEqual({ [NAME]: "modified changed" });
  await consent(who);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
  await propose(who, { "@acme/no-rm": {} });
  expect(await states(who)).toEqual({ [NAME]: "modified older" });
});

test("a version below the approved one is older, whatever was approved before", async () => {
  const who = await approved({ version: "2.0.0" });
  await propose(who, { "@acme/no-rm": { version: "1.0.0", ...changed } });
  expect(await states(who)).toEqual({ [NAME]: "modified older" });
});

test("modified: dropped from the lock, until the person consents to the removal", async () => {
  const who = await approved();
  await propose(who, {});
  expect(await states(who)).toEqual({ [NAME]: "modified dropped" });
  await drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside });
  expect(await states(who)).toEqual({});
});

test("modified: the same handler under another id is renamed", async () => {
  const who = await approved();
  await propose(who, { "@acme/no-rm": { handlers: [{ id: "other" }] } });
  expect(await states(who)).toEqual({ [NAME]: "modified renamed", "@acme/no-rm#other": "untrusted" });
});

test("modified: other options of the project or of the person", async () => {
  const options = { depth: { type: "number", default: 1 } };
  const who = await approved({ manifest: { options } });
  write(who.root, PROJECT_FILE, JSON.stringify({ options: { "@acme/no-rm": { depth: 2 } } }));
  expect(await states(who)).toEqual({ [NAME]: "modified options" });
  await consent(who);
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
  writeConfig(who.home, { v: 1, options: { "@acme/no-rm": { depth: 3 } } });
  expect(await states(who)).toEqual({ [NAME]: "modified options" });
});

test("rejected: not asked again, and what was approved goes on", async () => {
  const who = await approved();
  await propose(who, { "@acme/no-rm": changed });
  await consent(who, "rejected");
  const { handlers } = await trustView(who.home, who.project, who.outside);
  expect(handlers.map(({ state, rejected, change }) => ({ state, rejected, change }))).toEqual([
    { state: "trusted", rejected: true, change: "changed" },
  ]);
  expect(handlers.some(isWaiting)).toBe(false);
});

test("rejected: a handler that was never approved", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  await consent(who, "rejected");
  expect(await states(who)).toEqual({ [NAME]: "rejected" });
  await propose(who, { "@acme/no-rm": changed });
  expect(await states(who)).toEqual({ [NAME]: "untrusted" });
});

test("disabled and switched on again", async () => {
  const who = await approved();
  const by = { signer: who.key, note, outside: who.outside };
  await disable(who.home, who.project, [NAME], by);
  expect(await states(who)).toEqual({ [NAME]: "disabled E_GATE_DISABLED" });
  await disable(who.home, who.project, [NAME], { ...by, undo: true });
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
});

test("held: the stored bytes are gone or differ", async () => {
  const who = await approved();
  const entry = (await lockOf(who.home, { "@acme/no-rm": {} })).packages["@acme/no-rm"];
  const tree = treePath(who.home.store, entry?.tree ?? "sha256:");
  chmodSync(join(tree, "guard.ts"), 0o644);
  writeFileSync(join(tree, "guard.ts"), "export default () => 'weak';\n");
  expect(await states(who)).toEqual({ [NAME]: "held E_STORE_DIFFERS" });
  rmSync(tree, { recursive: true });
  expect(await states(who)).toEqual({ [NAME]: "held E_STORE_MISSING" });
});

test("an open handler without its bytes is not held", async () => {
  const who = await approved({ handlers: [{ failMode: "open" }] });
  rmSync(who.home.store, { recursive: true });
  expect(await states(who)).toEqual({ [NAME]: "trusted E_STORE_MISSING" });
});

test("held: unreadable approvals hold what the closed file names", async () => {
  const who = await approved();
  writeFileSync(join(who.home.state, "approvals.json"), "{}");
  const view = await trustView(who.home, who.project, who.outside);
  expect(view.handlers.map(({ name, state, why }) => ({ name, state, why }))).toEqual([
    { name: NAME, state: "held", why: "E_STATE_FILE" },
  ]);
  expect(view.problems.map((problem) => problem.code)).toEqual(["E_STATE_FILE"]);
});

test("absent approvals while a project is on record are unreadable", async () => {
  const who = await approved();
  rmSync(join(who.home.state, "approvals.json"));
  expect(await states(who)).toEqual({ [NAME]: "held E_APPROVALS_ABSENT" });
});

test("before anything was approved, absent approvals are a beginning", async () => {
  const who = await person();
  expect(await trustView(who.home, who.project, who.outside)).toEqual({ handlers: [], problems: [] });
});

test("managed: by identity, whatever the lock and the person say", async () => {
  const who = await approved();
  const { packages } = await lockOf(who.home, { "@acme/no-rm": {} });
  const entry = packages["@acme/no-rm"];
  const identity = entry?.handlers.guard;
  const managed = [{ handler: NAME, identity, registry: entry?.registry, integrity: entry?.integrity }];
  write(dirname(who.policy), "policy.json", JSON.stringify({ v: 1, managed }));
  chmodSync(who.policy, 0o644);
  await propose(who, {});
  expect(await states(who)).toEqual({ [NAME]: "managed" });
});

test("a garbled lock proposes nothing and drops nothing", async () => {
  const who = await approved();
  write(who.root, LOCK_FILE, "{ not a lock");
  const view = await trustView(who.home, who.project, who.outside);
  expect(view.handlers.map(({ state }) => state)).toEqual(["trusted"]);
  expect(view.problems.map((problem) => problem.code)).toEqual(["E_JSON"]);
});

test("a lock that names another identity than the bytes have is told, and the computed one is proposed", async () => {
  const who = await person();
  const lock = await propose(who, { "@acme/no-rm": {} });
  const other = await lockOf(who.home, { "@acme/no-rm": changed });
  const text = readFileSync(join(who.root, LOCK_FILE), "utf8");
  const [right, wrong] = [lock, other].map(({ packages }) => packages["@acme/no-rm"]?.handlers.guard ?? "");
  write(who.root, LOCK_FILE, text.replace(right ?? "", wrong ?? ""));
  const view = await trustView(who.home, who.project, who.outside);
  expect(view.problems.map((problem) => problem.code)).toEqual(["E_LOCK_IDENTITY"]);
  expect<string | undefined>(view.handlers[0]?.identity).toBe(right);
});

test("a local package: its folder is the proposal, its approved bytes go on from the store", async () => {
  const who = await person();
  await proposeLocal(who, "hooks", {});
  await consent(who);
  expect(await states(who)).toEqual({ "file:./hooks#guard": "trusted" });
  write(who.root, "hooks/guard.ts", "export default () => 3;\n");
  expect(await states(who)).toEqual({ "file:./hooks#guard": "modified changed" });
});

test("approvals by a key that is not on the person's list are unreadable", async () => {
  const who = await approved();
  const stranger = await generateKey();
  const wanted = [] as const;
  await expect(
    approve(who.home, who.project, wanted, { signer: stranger, note, outside: who.outside }),
  ).rejects.toMatchObject({
    code: "E_APPROVE_KEY",
  });
  writeFileSync(join(who.home.config, "keys", "approvers.json"), JSON.stringify({ v: 1, keys: [] }));
  expect(await states(who)).toEqual({ [NAME]: "held E_APPROVALS_KEY" });
});
