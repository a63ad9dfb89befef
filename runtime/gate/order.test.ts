import { afterEach, expect, test } from "bun:test";
import { LOCK_FILE, type Lock, lockText, PROJECT_FILE, parseProjectFile } from "@hookpkg/spec";
import { readJournal } from "../journal/reading.ts";
import {
  bash,
  consent,
  lockOf,
  note,
  type PackageText,
  type Person,
  person,
  propose,
  send,
  sweepScratch,
  write,
} from "../test-project.ts";
import { approveOrder } from "./approve-order.ts";
import { refuseUnordered } from "./order-of-lock.ts";
import { orderView } from "./order-view.ts";
import { trustView } from "./trust-view.ts";

afterEach(sweepScratch);

const ABC = { "@acme/a": {}, "@acme/b": {}, "@acme/c": {} };

async function three(packages: Readonly<Record<string, PackageText>> = ABC): Promise<Person> {
  const who = await person();
  await propose(who, packages);
  await consent(who);
  return who;
}

const wish = (who: Person, order: Record<string, string[]>) =>
  write(who.root, PROJECT_FILE, JSON.stringify({ packages: {}, order }));
const signing = (who: Person) => ({ signer: who.key, outside: who.outside, note });
const view = (who: Person) => trustView(who.home, who.project, who.outside);
const walked = async (who: Person) =>
  (await send(who, {}, () => ({ answer: "continue" }))).ran.map(({ name }) => name.slice(6, 7)).join("");

test("a project's order is only proposed: the approved one goes on until a person consents", async () => {
  const who = await three();
  expect([await walked(who), (await view(who)).order]).toEqual(["abc", undefined]);
  wish(who, { PreToolUse: ["@acme/c#guard", "@acme/b"] });
  const { order } = await view(who);
  expect(order?.events).toEqual([
    {
      event: "PreToolUse",
      before: ["@acme/a#guard", "@acme/b#guard", "@acme/c#guard"],
      after: ["@acme/c#guard", "@acme/b#guard", "@acme/a#guard"],
    },
  ]);
  expect(await walked(who)).toBe("abc");
  if (order) await approveOrder(who.home, who.project, { digest: order.digest, decided: "approved" }, signing(who));
  expect([await walked(who), (await view(who)).order]).toEqual(["cba", undefined]);
});

test("the lock's own order is no better: a reordered lock waits, too", async () => {
  const who = await three();
  await propose(who, { "@acme/c": {}, "@acme/a": {}, "@acme/b": {} });
  expect(await walked(who)).toBe("abc");
  expect((await view(who)).order?.events[0]?.after).toEqual(["@acme/c#guard", "@acme/a#guard", "@acme/b#guard"]);
});

test("what was shown is what is approved: another order by now is refused; a rejected one is not asked about again", async () => {
  const who = await three();
  wish(who, { PreToolUse: ["@acme/c"] });
  const shown = (await view(who)).order?.digest ?? "sha256:";
  wish(who, { PreToolUse: ["@acme/b"] });
  const late = approveOrder(who.home, who.project, { digest: shown, decided: "approved" }, signing(who));
  await expect(late).rejects.toMatchObject({ code: "E_APPROVE_ORDER" });
  const { digest = shown } = (await view(who)).order ?? {};
  await approveOrder(who.home, who.project, { digest, decided: "rejected" }, signing(who));
  expect([await walked(who), (await view(who)).order?.rejected]).toEqual(["abc", true]);
  wish(who, { PreToolUse: ["@acme/c"] });
  expect((await view(who)).order?.rejected).toBeUndefined();
});

test("a session is asked once about an order that waits, and told when it was decided", async () => {
  const who = await three();
  wish(who, { PreToolUse: ["@acme/c"] });
  const told = async (session: string) =>
    (await send(who, { payload: bash(who.root, "ls", { session_id: session }) })).decision.person.join("\n");
  expect(await told("s1")).toContain("something waits for your approval (hookpkg approve): the order of your hooks");
  expect(await told("s1")).not.toContain("order");
  const { digest = "sha256:" } = (await view(who)).order ?? {};
  const at = new Date(who.outside.at + 1000).toISOString();
  await approveOrder(
    who.home,
    who.project,
    { digest, decided: "approved" },
    { ...signing(who), note: { ...note, at } },
  );
  who.outside.at += 2000;
  expect(await told("s2")).toContain("the order of its hooks");
});

test("handlers of one package stand as approved, and nobody is asked about what its file or the lock say of it", async () => {
  const inFile = [{ id: "m" }, { id: "b", failMode: "open" }, { id: "z" }] as const;
  const who = await three({ "@acme/a": { handlers: inFile } });
  const ids = async (one: string) =>
    (await send(who, { payload: bash(who.root, "ls", { session_id: one }) }, () => ({ answer: "continue" }))).ran.map(
      ({ name }) => name.slice(-1),
    );
  const asked = async () => (await send(who, { payload: bash(who.root, "ls", { session_id: "s" }) })).decision.person;
  expect([await ids("s1"), await asked(), (await view(who)).order]).toEqual([["m", "b", "z"], [], undefined]);
  await propose(who, { "@acme/a": { version: "1.1.0", handlers: inFile.toReversed() } });
  who.outside.at += 1000;
  expect([await ids("s2"), await asked(), (await view(who)).order]).toEqual([["m", "b", "z"], [], undefined]);
  wish(who, { PreToolUse: ["@acme/a#z"] });
  const { digest = "sha256:", events = [] } = (await view(who)).order ?? {};
  expect(events[0]?.after).toEqual(["@acme/a#z", "@acme/a#m", "@acme/a#b"]);
  await approveOrder(who.home, who.project, { digest, decided: "approved" }, signing(who));
  expect([await ids("s3"), (await view(who)).order]).toEqual([["z", "m", "b"], undefined]);
});

test("the first approval takes the order that is proposed; a new handler its place in it", async () => {
  const who = await person();
  wish(who, { PreToolUse: ["@acme/c", "@acme/d?"] });
  await propose(who, ABC);
  await consent(who);
  expect([await walked(who), (await view(who)).order]).toEqual(["cab", undefined]);
  await propose(who, { ...ABC, "@acme/d": {} });
  await consent(who);
  expect([await walked(who), (await view(who)).order]).toEqual(["cdab", undefined]);
});

test("an order of one event moves nothing at another; aliases of events are folded", async () => {
  const both = { handlers: [{}, { id: "after", event: "PostToolUse" }] };
  const who = await three({ "@acme/a": both, "@acme/b": both });
  wish(who, { "tool.call": ["@acme/b"] });
  expect((await view(who)).order?.events.map(({ event }) => event)).toEqual(["PreToolUse"]);
});

test("an order that names what is not there is a problem that is shown; with ? it is not", async () => {
  const who = await three();
  wish(who, { PreToolUse: ["@acme/gone", "@acme/here?"], NoEvent: ["@acme/a"] });
  expect((await view(who)).problems).toEqual([
    { code: "E_ORDER_REFERENCE", facts: { file: "project.json", event: "PreToolUse", name: "@acme/gone" } },
    { code: "E_ORDER_REFERENCE", facts: { file: "project.json", event: "NoEvent", name: "@acme/a" } },
  ]);
});

const CYCLE = {
  "@acme/a": { handlers: [{ after: ["@acme/b"] }] },
  "@acme/b": { handlers: [{ after: ["@acme/a"], failMode: "open" }] },
};

test("met at run time, a cycle is filed where every surface looks, its closed guards hold, its open ones are passed", async () => {
  const who = await three(CYCLE);
  const { handlers, problems } = await view(who);
  expect(problems).toMatchObject([{ code: "E_CHAIN_CYCLE" }]);
  expect(handlers.map(({ name, state, why }) => `${name} ${state} ${why}`)).toEqual([
    "@acme/a#guard held E_CHAIN_OFF",
    "@acme/b#guard trusted E_CHAIN_OFF",
  ]);
  const { decision } = await send(who);
  expect(decision.decision).toBe("cancel");
  expect(decision.person.join()).toContain("E_CHAIN_CYCLE");
  expect(readJournal(who.home, who.project.id, { limit: 9 }).map(({ outcome, code }) => `${outcome} ${code}`)).toEqual([
    "held E_CHAIN_OFF",
    "not-reached undefined",
  ]);
  const { events } = await orderView(who.home, who.project, who.outside);
  expect(events[0]?.chain.map(({ off }) => off)).toEqual(["E_CHAIN_OFF", "E_CHAIN_OFF"]);
});

test("the install that would make a cycle or a dead reference is refused; what is wrong already is not its doing", async () => {
  const who = await person();
  const files = (lock: Lock, order = {}) => ({
    lock,
    file: parseProjectFile(JSON.stringify({ packages: {}, order })),
  });
  const none = files({ lock: 1, packages: {} });
  const refused = async (today: ReturnType<typeof files>, tomorrow: ReturnType<typeof files>) => {
    try {
      await refuseUnordered(who.home, who.project, { today, tomorrow }, who.outside);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  const cycle = files(await lockOf(who.home, CYCLE));
  const dead = files(await lockOf(who.home, { "@acme/a": { handlers: [{ before: ["@acme/z"] }] } }));
  const fine = files(await lockOf(who.home, { "@acme/a": { handlers: [{ before: ["@acme/z?"] }] } }));
  const more = files(await lockOf(who.home, { "@acme/a": { handlers: [{ before: ["@acme/z"] }] }, "@acme/y": {} }));
  expect(await refused(none, cycle)).toBe("E_ORDER_CYCLE");
  expect(await refused(none, dead)).toBe("E_ORDER_REFERENCE");
  expect(await refused(none, fine)).toBeUndefined();
  expect(await refused(dead, more)).toBeUndefined();
  expect(await refused(none, files(fine.lock, { PreToolUse: ["@acme/q"] }))).toBe("E_ORDER_REFERENCE");
});

test("a package may stand beside what the person has everywhere, though no lock of the project names it", async () => {
  const who = await person();
  await propose(who, ABC);
  write(who.home.config, "lock.json", lockText(await lockOf(who.home, { "@me/mine": {} })));
  const { approve } = await import("./approve.ts");
  const { readProposals } = await import("./proposals.ts");
  const { proposals } = await readProposals(who.home, "user");
  const wanted = proposals.map(({ name, identity }) => ({ handler: name, identity, decided: "approved" as const }));
  await approve(who.home, "user", wanted, signing(who));
  const lock = await lockOf(who.home, { "@acme/a": { handlers: [{ after: ["@me/mine"] }] } });
  const files = (one: Lock) => ({ lock: one, file: parseProjectFile('{"packages":{}}') });
  const change = { today: files({ lock: 1, packages: {} }), tomorrow: files(lock) };
  await refuseUnordered(who.home, who.project, change, who.outside);
  write(who.root, LOCK_FILE, lockText(lock));
  await consent(who);
  expect((await orderView(who.home, who.project, who.outside)).events[0]?.chain).toMatchObject([
    { handler: "@me/mine#guard", tier: "user-package", why: ["@acme/a#guard asks to be after it"] },
    { handler: "@acme/a#guard", tier: "package", why: ["after @me/mine#guard"] },
  ]);
});

test("the view says who moved whom, and that nobody goes before a person's own", async () => {
  const who = await three({ "@acme/a": {}, "@acme/b": { handlers: [{ before: ["@acme/a"] }] } });
  expect((await orderView(who.home, who.project, who.outside)).events).toEqual([
    {
      event: "PreToolUse",
      chain: [
        { handler: "@acme/b#guard", tier: "package", state: "trusted", why: ["before @acme/a#guard"] },
        { handler: "@acme/a#guard", tier: "package", state: "trusted", why: ["@acme/b#guard asks to be before it"] },
      ],
    },
  ]);
});
