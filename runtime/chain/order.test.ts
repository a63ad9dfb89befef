import { expect, test } from "bun:test";
import { NO_CAPABILITIES, type NormalForm } from "@hookpkg/spec";
import fc from "fast-check";
import type { Approved, Tier } from "../gate/runnable.ts";
import { orderHandlers } from "./order.ts";

type Wish = { before?: string[]; after?: string[]; tier?: Tier; event?: NormalForm["event"] };

function handler(
  name: string,
  { before = [], after = [], tier = "package", event = "PreToolUse" }: Wish = {},
): Approved {
  const [source = "", id = ""] = name.split("#");
  const normalForm: NormalForm = {
    ...{ v: 1, event, matcher: null, if: [], run: { type: "command", argv: ["x"] }, may: ["cancel"], timeoutMs: 1 },
    ...{ failMode: "closed", once: false, async: false, answers: "lenient", outputLimit: 100, before, after },
    ...{ capabilities: NO_CAPABILITIES, requires: [], closure: `sha256:${"0".repeat(64)}` },
  };
  return {
    ...{ name: `${source}#${id}`, source, id, tier, identity: "hk1:x", normalForm, state: "trusted" },
    ...{ tree: "sha256:x", options: {}, project: "p", projectRoot: "/" },
  };
}

const names = (handlers: readonly Approved[]) => handlers.map(({ name }) => name);
const order = (...handlers: Approved[]) => names(orderHandlers(handlers).order);

test("without wishes the source order stands; before and after refine it", () => {
  expect(order(handler("@a/p#1"), handler("@b/p#1"))).toEqual(["@a/p#1", "@b/p#1"]);
  expect(order(handler("@a/p#1"), handler("@b/p#1", { before: ["@a/p#1"] }))).toEqual(["@b/p#1", "@a/p#1"]);
  expect(order(handler("@a/p#1", { after: ["@b/p"] }), handler("@b/p#1"), handler("@b/p#2"))).toEqual([
    "@b/p#1",
    "@b/p#2",
    "@a/p#1",
  ]);
  expect(order(handler("@a/p#1", { after: ["#2"] }), handler("@a/p#2"))).toEqual(["@a/p#2", "@a/p#1"]);
});

test("a reference to nothing switches the chain off, unless it ends in ?", () => {
  const [dead, fine] = [handler("@a/p#1", { after: ["@b/p"] }), handler("@a/p#1", { after: ["@b/p?"] })];
  expect(orderHandlers([dead])).toMatchObject({
    order: [],
    off: [{ name: "@a/p#1" }],
    problems: [{ code: "E_CHAIN_REFERENCE" }],
  });
  expect(order(fine)).toEqual(["@a/p#1"]);
  expect(names(orderHandlers([dead], new Set(["@b/p#x"])).order)).toEqual(["@a/p#1"]);
});

test("a cycle switches the whole chain off; two events make none", () => {
  const [a, b] = [handler("@a/p#1", { before: ["@b/p"] }), handler("@b/p#1", { before: ["@a/p"] })];
  expect(orderHandlers([a, b, handler("@c/p#1")])).toMatchObject({ order: [], problems: [{ code: "E_CHAIN_CYCLE" }] });
  expect(order(a, handler("@b/p#1", { before: ["@a/p"], event: "PostToolUse" }))).toEqual(["@a/p#1", "@b/p#1"]);
});

test("nobody goes before managed or user handlers by a lower tier's wish", () => {
  const managed = handler("@m/p#1", { tier: "managed" });
  const user = handler("layer:user#1", { tier: "user" });
  const pushy = handler("@a/p#1", { before: ["@m/p#1", "layer:user"] });
  expect(order(managed, user, pushy)).toEqual(["@m/p#1", "layer:user#1", "@a/p#1"]);
});

test("a managed handler's order does not hang on what is below it", () => {
  const broken = [handler("@a/p#1", { after: ["@gone/p"] }), handler("@m/p#1", { tier: "managed", after: ["@a/p#1"] })];
  expect(orderHandlers(broken)).toMatchObject({ order: [{ name: "@m/p#1" }], off: [{ name: "@a/p#1" }] });
});

test("property: every wish that can be is kept, nothing is lost, ties stay in source order", () => {
  const sources = ["@a/p", "@b/p", "@c/p", "@d/p", "@e/p"];
  const wishes = fc.array(fc.subarray(sources, { maxLength: 2 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(wishes, (afters) => {
      const all = sources.map((source, n) =>
        handler(`${source}#1`, { after: (afters[n] ?? []).filter((each) => each !== source) }),
      );
      const { order: found, off } = orderHandlers(all);
      expect([...names(found), ...names(off)].sort()).toEqual(names(all).sort());
      const place = new Map(found.map(({ source }, n) => [source, n]));
      for (const { source, normalForm } of found)
        for (const after of normalForm.after) expect(place.get(after) ?? -1).toBeLessThan(place.get(source) ?? -1);
      if (afters.every((each) => each.length === 0)) expect(names(found)).toEqual(names(all));
    }),
  );
});
