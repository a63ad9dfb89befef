import { afterEach, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { treePath } from "@hookpkg/archive";
import { diffNormalForms } from "@hookpkg/identity";
import { generateKey, signApprovals } from "@hookpkg/signing";
import { type Answer, LOCK_FILE, lockText } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { writeState } from "../person/state-file.ts";
import {
  consent,
  lockOf,
  note,
  type PackageText,
  type Person,
  person,
  propose,
  proposeLocal,
  send,
  states,
  sweepScratch,
  temporary,
  write,
} from "../test-project.ts";
import { approve, drop } from "./approve.ts";
import { refuseInsideHost } from "./inside-host.ts";
import { trustView } from "./trust-view.ts";

afterEach(sweepScratch);

const NAME = "@acme/no-rm#guard";
const cancel = (): Answer => ({ answer: "cancel", reason: "no" });
const weak = { files: { "guard.ts": "export default () => 'weak';\n" } };

async function guarded(text: PackageText = {}): Promise<Person> {
  const who = await person();
  await propose(who, { "@acme/no-rm": text });
  await consent(who);
  return who;
}

const lockBytes = (who: Person) => readFileSync(join(who.root, LOCK_FILE), "utf8");

test("F01: a lock with a swapped identity, a missing integrity, a tag or an extra package runs nothing new", async () => {
  const who = await guarded();
  const honest = lockBytes(who);
  const other = await lockOf(who.home, { "@acme/no-rm": weak, "@evil/extra": {} });
  const swaps = [
    honest.replace(/hk1:[A-Za-z0-9_-]{43}/, other.packages["@acme/no-rm"]?.handlers.guard ?? ""),
    honest.replace(/"integrity": "[^"]*",/, ""),
    honest.replace('"1.0.0"', '"latest"'),
    honest.replace("https://registry.test", "javascript:1"),
    lockText(other),
  ];
  for (const swapped of swaps) {
    expect(swapped).not.toBe(honest);
    write(who.root, LOCK_FILE, swapped);
    const { ran, decision } = await send(who, {}, cancel);
    expect(ran.map(({ name, code }) => [name, code])).toEqual([[NAME, "export default () => undefined;\n"]]);
    expect(decision.decision).toBe("cancel");
  }
});

test("F01: each of these locks is told by the view", async () => {
  const who = await guarded();
  const honest = lockBytes(who);
  for (const [edited, code] of [
    [honest.replace(/"integrity": "[^"]*",/, ""), "E_LOCK_FILE"],
    [honest.replace('"1.0.0"', '"latest"'), "E_LOCK_FILE"],
    [honest.replace(/hk1:[A-Za-z0-9_-]{43}/, `hk1:${"C".repeat(43)}`), "E_LOCK_IDENTITY"],
  ] as const) {
    write(who.root, LOCK_FILE, edited);
    const { problems } = await trustView(who.home, who.project, who.outside);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  }
});

test("F04: approvals, drops and events at once lose nothing", async () => {
  const who = await person();
  const names = ["a", "b", "c", "d"].map((name) => `@acme/${name}`);
  const lock = await propose(who, Object.fromEntries(names.map((name) => [name, {}])));
  await consent(who);
  const signed = { signer: who.key, note, outside: who.outside };
  const identity = lock.packages["@acme/a"]?.handlers.guard ?? "hk1:";
  await Promise.all([
    drop(who.home, who.project, ["@acme/b#guard"], signed),
    approve(who.home, who.project, [{ handler: "@acme/a#guard", identity, decided: "approved" }], signed),
    drop(who.home, who.project, ["@acme/c#guard"], signed),
    ...["s1", "s2", "s3"].map((session) => send(who, { host: session })),
  ]);
  expect(await states(who)).toEqual({
    "@acme/a#guard": "trusted",
    "@acme/b#guard": "untrusted",
    "@acme/c#guard": "untrusted",
    "@acme/d#guard": "trusted",
  });
});

test("F05: what a dead process left of its lock holds nobody up, whatever number stands in it", async () => {
  const who = await guarded();
  for (const pid of ["1", `${process.pid}`, "999999", ""]) {
    writeFileSync(join(who.home.state, "approvals.lock"), pid);
    await consent(who);
  }
  expect(await states(who)).toEqual({ [NAME]: "trusted" });
});

test("F07: a stored file changed, added, linked or exchanged for another tree's is never run", async () => {
  const who = await person();
  const lock = await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  const evil = await lockOf(who.home, { "@acme/no-rm": weak });
  const [tree, evilTree] = [lock, evil].map(({ packages }) =>
    treePath(who.home.store, packages["@acme/no-rm"]?.tree ?? "sha256:"),
  ) as [string, string]; // two locks above
  const saved = join(temporary(), "tree");
  cpSync(tree, saved, { recursive: true });
  const open = () => chmodSync(tree, 0o755);
  const harms = [
    () => {
      chmodSync(join(tree, "guard.ts"), 0o644);
      writeFileSync(join(tree, "guard.ts"), "export default () => 1;\n");
    },
    () => writeFileSync(join(tree, "extra.ts"), ""),
    () => {
      rmSync(join(tree, "guard.ts"));
      symlinkSync(join(evilTree, "guard.ts"), join(tree, "guard.ts"));
    },
    () => {
      rmSync(tree, { recursive: true });
      cpSync(evilTree, tree, { recursive: true });
    },
    () => {
      rmSync(tree, { recursive: true });
      symlinkSync(evilTree, tree);
    },
  ];
  for (const harm of harms) {
    rmSync(tree, { recursive: true, force: true });
    cpSync(saved, tree, { recursive: true });
    open();
    harm();
    const { ran, decision } = await send(who);
    expect({ ran, decision: decision.decision, state: decision.handlers[0]?.state }).toEqual({
      ran: [],
      decision: "cancel",
      state: "held",
    });
  }
});

test("F08: the store is a link; a state folder is a link; .hookpkg is a link", async () => {
  const who = await guarded();
  const elsewhere = join(temporary(), "store");
  renameSync(who.home.store, elsewhere);
  symlinkSync(elsewhere, who.home.store);
  expect((await send(who)).decision.handlers[0]).toMatchObject({ state: "held" });
  expect(() => homeFolders(who.home.base)).toThrow(expect.objectContaining({ code: "E_HOME_LINK" }));

  const linked = await guarded();
  const foreign = temporary();
  cpSync(join(linked.root, ".hookpkg"), foreign, { recursive: true });
  rmSync(join(linked.root, ".hookpkg"), { recursive: true });
  symlinkSync(foreign, join(linked.root, ".hookpkg"));
  const { problems } = await trustView(linked.home, linked.project, linked.outside);
  expect(problems.map((problem) => problem.code)).toContain("E_PROJECT_LINK");
  expect((await send(linked)).ran).toHaveLength(1);
});

test("F08: a local package that is a link out of the project is not read", async () => {
  const who = await person();
  await proposeLocal(who, "hooks", {});
  const foreign = temporary();
  cpSync(join(who.root, "hooks"), foreign, { recursive: true });
  rmSync(join(who.root, "hooks"), { recursive: true });
  symlinkSync(foreign, join(who.root, "hooks"));
  expect(await states(who)).toEqual({ "file:./hooks#guard": "untrusted E_PROJECT_LINK" });
});

test("F10: a widened matcher, a longer timeout, a new right, a new variable wait, each with its line", async () => {
  const handler = { matcher: "Bash", timeout: 5 };
  const rows: [PackageText, string][] = [
    [{ handlers: [{ ...handler, matcher: "Bash|Write" }] }, "matcher"],
    [{ handlers: [{ ...handler, timeout: 6 }] }, "timeoutMs"],
    [{ handlers: [{ ...handler, may: ["cancel", "patch"] }] }, "may"],
    [{ handlers: [{ ...handler, failMode: "open" }] }, "failMode"],
    [{ handlers: [handler], manifest: { capabilities: { env: ["CI"] } } }, "capabilities.env"],
    [{ handlers: [handler], manifest: { capabilities: { project: "read" } } }, "capabilities.project"],
  ];
  const who = await guarded({ handlers: [handler] });
  for (const [text, field] of rows) {
    await propose(who, { "@acme/no-rm": text });
    const [view] = (await trustView(who.home, who.project, who.outside)).handlers;
    if (!view?.approved || !view.proposed?.readable) throw new Error(`nothing waits: ${field}`);
    expect(view.state).toBe("modified");
    const changes = diffNormalForms(view.approved.normalForm, view.proposed.normalForm);
    expect(changes.map((change) => [change.field as string, change.widens])).toEqual([[field, true]]);
  }
});

test("F11: other order, place, version, README, description ask nobody", async () => {
  const who = await guarded({ handlers: [{ id: "a" }, { id: "b" }] });
  await propose(who, {
    "@acme/no-rm": {
      version: "2.0.0",
      handlers: [{ id: "b", statusMessage: "checking" }, { id: "a" }],
      files: { "README.md": "new" },
      manifest: { description: "other words" },
    },
  });
  expect(await states(who)).toEqual({ "@acme/no-rm#a": "trusted", "@acme/no-rm#b": "trusted" });
});

test("F13: no bypass in the environment, no approval inside a host, no consent by editing the approvals", async () => {
  const who = await guarded();
  const inside = { envNames: ["CLAUDECODE", "HOOKPKG_TRUST"], ancestors: [] };
  expect(() => refuseInsideHost(who.home, inside, who.outside)).toThrow(
    expect.objectContaining({ code: "E_APPROVE_IN_HOST" }),
  );
  const file = join(who.home.state, "approvals.json");
  const signed = JSON.parse(readFileSync(file, "utf8"));
  signed.projects[who.project.id].entries[NAME].normalForm.failMode = "open";
  writeFileSync(file, JSON.stringify(signed));
  expect((await send(who)).decision.handlers[0]).toMatchObject({ state: "held", why: "E_APPROVALS_SIGNATURE" });
});

test("F13: a signed normal form that is not the one of its identity does not run", async () => {
  const who = await guarded();
  const file = join(who.home.state, "approvals.json");
  const { key: _, sig: __, ...document } = JSON.parse(readFileSync(file, "utf8"));
  document.projects[who.project.id].entries[NAME].normalForm.timeoutMs = 1;
  writeState(who.home, file, await signApprovals(document, who.key));
  const { ran, decision } = await send(who);
  expect(ran).toEqual([]);
  expect(decision.handlers[0]).toMatchObject({ state: "held", why: "E_APPROVALS_FORM" });
});

test("F13: approved bytes exchanged for a whole other tree, signed for, do not run under the old identity", async () => {
  const who = await guarded();
  const other = await lockOf(who.home, { "@acme/no-rm": weak });
  const file = join(who.home.state, "approvals.json");
  const { key: _, sig: __, ...document } = JSON.parse(readFileSync(file, "utf8"));
  document.projects[who.project.id].entries[NAME].tree = other.packages["@acme/no-rm"]?.tree;
  writeState(who.home, file, await signApprovals(document, who.key));
  const { ran, decision } = await send(who);
  expect(ran).toEqual([]);
  expect(decision.handlers[0]).toMatchObject({ state: "held", why: "E_GATE_IDENTITY" });
});

test("F14: approvals of another person, or signed by a key that only the project lists, count for nothing", async () => {
  const [who, other] = [await guarded(), await guarded(weak)];
  const file = join(who.home.state, "approvals.json");
  cpSync(join(other.home.state, "approvals.json"), file);
  expect((await send(who)).decision.handlers[0]).toMatchObject({ state: "held", why: "E_APPROVALS_KEY" });

  const stranger = await generateKey();
  const listed = { v: 1, keys: [{ id: stranger.id, public: stranger.public, kind: "person" }] };
  write(who.root, ".hookpkg/approvers.json", JSON.stringify(listed));
  mkdirSync(join(who.root, ".hookpkg/keys"));
  write(who.root, ".hookpkg/keys/approvers.json", JSON.stringify(listed));
  const { key: _, sig: __, ...document } = JSON.parse(readFileSync(file, "utf8"));
  writeState(who.home, file, await signApprovals(document, stranger));
  expect((await send(who)).decision.handlers[0]).toMatchObject({ state: "held", why: "E_APPROVALS_KEY" });
});

test("F17: a removal that the person made stops the handler in running sessions at once; another one's changes nothing", async () => {
  const who = await guarded();
  expect((await send(who, {}, cancel)).decision.decision).toBe("cancel");
  await propose(who, {});
  expect((await send(who, {}, cancel)).decision.decision).toBe("cancel");
  await drop(who.home, who.project, [NAME], { signer: who.key, outside: who.outside });
  const { ran, decision } = await send(who, {}, cancel);
  expect({ ran, decision: decision.decision }).toEqual({ ran: [], decision: "continue" });
});
