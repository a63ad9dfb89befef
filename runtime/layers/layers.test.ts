import { afterEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { approve } from "../gate/approve.ts";
import { trustView } from "../gate/trust-view.ts";
import { USER } from "../person/projects.ts";
import {
  bash,
  consent,
  note,
  type Person,
  person,
  propose,
  send,
  states,
  sweepScratch,
  write,
} from "../test-project.ts";

afterEach(sweepScratch);

const entry = (id: string, more: object = {}) => ({
  ...{ id, type: "module", module: "./guard.ts", failMode: "closed", may: ["cancel"] },
  ...more,
});
const declared = (id: string, more?: object) =>
  JSON.stringify({ hooks: { PreToolUse: [{ hooks: [entry(id, more)] }] } });
const CODE = "export default () => undefined;\n";

function layer(folder: string, id: string, more?: object): void {
  write(folder, "hooks.json", declared(id, more));
  write(folder, "guard.ts", CODE);
}

async function consentForAll(who: Person): Promise<void> {
  const { handlers } = await trustView(who.home, USER, who.outside);
  const wanted = handlers.flatMap(({ proposed }) =>
    proposed?.readable ? [{ handler: proposed.name, identity: proposed.identity, decided: "approved" as const }] : [],
  );
  await approve(who.home, USER, wanted, { signer: who.key, note, outside: who.outside });
}

/** The machine's own folder, as far as this user can own one. */
function machine(who: Person): string {
  const folder = join(dirname(who.policy), "hooks");
  mkdirSync(folder, { recursive: true });
  who.outside.managedHooks = folder;
  return folder;
}

test("layers wait like anybody's handlers, then stand before packages: managed, user, project, local", async () => {
  const who = await person();
  await propose(who, { "@acme/no-rm": {} });
  layer(join(who.root, ".hookpkg/hooks.local"), "mine");
  layer(join(who.root, ".hookpkg/hooks"), "ours");
  layer(join(who.home.config, "hooks"), "everywhere");
  expect(await states(who)).toEqual({
    "layer:project#ours": "untrusted",
    "layer:local#mine": "untrusted",
    "@acme/no-rm#guard": "untrusted",
  });
  expect((await send(who)).ran).toEqual([]);
  await consent(who);
  await consentForAll(who);
  layer(machine(who), "first");
  const { ran, decision } = await send(who);
  expect(ran.map(({ name }) => name)).toEqual([
    "layer:managed#first",
    "layer:user#everywhere",
    "layer:project#ours",
    "layer:local#mine",
    "@acme/no-rm#guard",
  ]);
  expect(decision.handlers[0]).toMatchObject({ state: "managed", outcome: "answered" });
  expect(decision.handlers[1]).toMatchObject({ state: "trusted" });
});

test("a changed layer waits while the approved bytes go on; a removed one too", async () => {
  const who = await person();
  const folder = join(who.root, ".hookpkg/hooks");
  layer(folder, "ours");
  await consent(who);
  write(folder, "guard.ts", "export default () => 'weak';\n");
  expect(await states(who)).toEqual({ "layer:project#ours": "modified changed" });
  const changed = await send(who);
  expect(changed.ran.map(({ code }) => code)).toEqual([CODE]);
  expect(changed.decision.handlers[0]?.state).toBe("modified");
  expect(changed.decision.person.join()).toContain("waits for your approval");
  rmSync(folder, { recursive: true });
  expect(await states(who)).toEqual({ "layer:project#ours": "modified dropped" });
  expect((await send(who)).ran).toHaveLength(1);
});

test("hooks.json comes before hooks.toml, with one warning", async () => {
  const who = await person();
  const folder = join(who.root, ".hookpkg/hooks");
  layer(folder, "second-by-name");
  write(
    folder,
    "hooks.toml",
    '[[hooks.PreToolUse]]\nhooks = [{ id = "a-toml", type = "module", module = "./guard.ts", failMode = "closed", may = ["cancel"] }]\n',
  );
  const view = await trustView(who.home, who.project, who.outside);
  expect(view.problems.filter(({ code }) => code === "W_TWO_SOURCES")).toHaveLength(1);
  await consent(who);
  expect((await send(who)).ran.map(({ name }) => name)).toEqual([
    "layer:project#second-by-name",
    "layer:project#a-toml",
  ]);
});

test("rights come from hookpkg.json beside it and are a part of what is approved", async () => {
  const who = await person();
  const folder = join(who.root, ".hookpkg/hooks");
  layer(folder, "ours");
  await consent(who);
  write(folder, "hookpkg.json", JSON.stringify({ capabilities: { project: "read" } }));
  expect(await states(who)).toEqual({ "layer:project#ours": "modified changed" });
});

test("a layer that cannot be read changes nothing that was approved, and says so", async () => {
  const who = await person();
  const folder = join(who.root, ".hookpkg/hooks");
  layer(folder, "ours");
  await consent(who);
  write(folder, "hooks.json", "garbage");
  const { ran, decision } = await send(who);
  expect(ran).toHaveLength(1);
  expect(decision.handlers[0]?.state).toBe("trusted");
  const { problems } = await trustView(who.home, who.project, who.outside);
  expect(problems.map(({ code }) => code)).toEqual(["E_PACKAGE_INVALID"]);
});

test("no link leads a layer out of the project", async () => {
  const who = await person();
  layer(join(who.home.base, "elsewhere"), "theirs");
  mkdirSync(join(who.root, ".hookpkg"));
  symlinkSync(join(who.home.base, "elsewhere"), join(who.root, ".hookpkg/hooks"));
  const view = await trustView(who.home, who.project, who.outside);
  expect(view.handlers).toEqual([]);
  expect(view.problems.map(({ code }) => code)).toEqual(["E_PROJECT_LINK"]);
});

test("managed handlers need no approval, and nobody's order goes before them", async () => {
  const who = await person();
  layer(machine(who), "first");
  await propose(who, { "@acme/no-rm": { handlers: [{ before: ["layer"] }] } }).catch(() => undefined);
  await propose(who, { "@acme/no-rm": {} });
  await consent(who);
  const { decision, ran } = await send(who, {}, ({ id }) =>
    id === "first" ? { answer: "cancel", reason: "the machine says no" } : { answer: "allow", reason: "x" },
  );
  expect(ran.map(({ name }) => name)).toEqual(["layer:managed#first"]);
  expect(decision).toMatchObject({ decision: "cancel", reason: "layer:managed#first: the machine says no" });
  expect(await states(who)).toMatchObject({ "layer:managed#first": "managed" });
});

test.each([
  ["the folder", (folder: string) => chmodSync(folder, 0o775)],
  ["a file in it", (folder: string) => chmodSync(join(folder, "guard.ts"), 0o666)],
])("others may write %s: none of the machine's own handlers runs, visibly", async (_, open) => {
  const who = await person();
  const folder = machine(who);
  layer(folder, "first");
  open(folder);
  const { ran, decision } = await send(who);
  expect({ ran, verdict: decision.decision }).toEqual({ ran: [], verdict: "continue" });
  expect(decision.person.join()).toContain("E_LAYER_OWNER");
  const { problems } = await trustView(who.home, who.project, who.outside);
  expect(problems.map(({ code }) => code)).toEqual(["E_LAYER_OWNER"]);
});

test("where others may change the machine's policy, its handlers do not run either", async () => {
  for (const open of [
    (who: Person) => chmodSync(dirname(who.policy), 0o777),
    (who: Person) => {
      who.outside.policyOwner += 1;
    },
  ]) {
    const who = await person();
    layer(machine(who), "first");
    open(who);
    const { ran, decision } = await send(who);
    expect(ran).toEqual([]);
    expect(decision.person.join()).toContain("E_POLICY");
  }
});

test("the machine's own handlers that cannot be read hold tool calls", async () => {
  const who = await person();
  write(machine(who), "hooks.json", "garbage");
  const { decision } = await send(who);
  expect(decision).toMatchObject({ decision: "cancel", handlers: [{ state: "held" }] });
  const stop = bash(who.root, "", { hook_event_name: "Stop" });
  expect((await send(who, { payload: stop })).decision.decision).toBe("continue");
});
