import { expect, test } from "bun:test";
import { type May, NO_CAPABILITIES, type NormalForm } from "@hookpkg/spec";
import fc from "fast-check";
import type { Approved, Tier } from "../gate/runnable.ts";
import { orderHandlers, reasonsFor } from "./order.ts";

type Kind = {
  http?: boolean;
  may?: May[];
  before?: string[];
  after?: string[];
  tier?: Tier;
  event?: NormalForm["event"];
};

function handler(
  id: string,
  { http = false, may = ["cancel"], before = [], after = [], tier = "package", event = "PreToolUse" }: Kind = {},
): Approved {
  const run = http
    ? ({ type: "http", url: "https://x.example/", method: "POST", headers: {} } as const)
    : ({ type: "command", argv: ["x"] } as const);
  const normalForm: NormalForm = {
    ...{ v: 1, event, matcher: null, if: [], run, may, timeoutMs: 1 },
    ...{ failMode: "closed", once: false, async: false, answers: "lenient", outputLimit: 100, before, after },
    ...{ capabilities: NO_CAPABILITIES, requires: [], closure: `sha256:${"0".repeat(64)}` },
  };
  return {
    ...{ name: `@a/p#${id}`, source: "@a/p", id, tier, identity: "hk1:x", normalForm, state: "trusted" },
    ...{ tree: "sha256:x", options: {}, project: "p", projectRoot: "/" },
  };
}
const http = (id: string, more: Kind = {}) => handler(id, { http: true, ...more });
const patcher = (id: string, more: Kind = {}) => handler(id, { may: ["cancel", "patch"], ...more });
const ids = (...handlers: Approved[]) =>
  orderHandlers(handlers)
    .order.map(({ id }) => id)
    .join(" ");

test("http handlers stand behind the last patcher of their event, as they stood among each other", () => {
  expect(ids(http("h1"), handler("a"), http("h2"), patcher("p"), handler("b"))).toBe("a p h1 h2 b");
  expect(ids(patcher("p"), http("h"), handler("a"))).toBe("p h a");
  expect(ids(http("h"), patcher("p", { event: "PostToolUse" }))).toBe("h p");
  expect(ids(http("h", { may: ["patch"] }), patcher("p"), http("i", { may: ["patch"] }))).toBe("p h i");
});

test("a managed one waits for lower patchers too: it is about what will happen, whoever wrote it", () => {
  expect(ids(http("h", { tier: "managed" }), handler("m", { tier: "managed" }), patcher("p"))).toBe("m p h");
});

test("a wish that is written down counts more", () => {
  expect(ids(http("h"), patcher("p", { after: ["#h"] }))).toBe("h p");
  expect(ids(http("h", { before: ["#p"] }), patcher("p"))).toBe("h p");
  expect(ids(http("h"), handler("a", { after: ["#h"] }), patcher("p"))).toBe("h a p");
});

test("and it is told", () => {
  const [h, p] = [http("h"), patcher("p")];
  expect(reasonsFor(h, [h, p])).toEqual(["behind @a/p#p, which may patch"]);
  expect(reasonsFor(p, [h, p])).toEqual([]);
});

test("nobody is lost, and every wish still holds", () => {
  const kinds = fc.array(fc.constantFrom("http", "patcher", "plain"), { maxLength: 8 });
  fc.assert(
    fc.property(kinds, fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 6 }), (made, pairs) => {
      const after = (n: number) => pairs.flatMap(([a, b]) => (a === n && b < n ? [`#h${b}`] : []));
      const handlers = made.map((kind, n) => {
        const more = { after: after(n) };
        return kind === "http"
          ? http(`h${n}`, more)
          : kind === "patcher"
            ? patcher(`h${n}`, more)
            : handler(`h${n}`, more);
      });
      const { order } = orderHandlers(handlers);
      expect(order.map(({ id }) => id).sort()).toEqual(handlers.map(({ id }) => id).sort());
      for (const each of order)
        for (const wish of each.normalForm.after)
          expect(order.findIndex(({ id }) => `#${id}` === wish)).toBeLessThan(order.indexOf(each));
    }),
  );
});
