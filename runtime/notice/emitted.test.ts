import { expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import type { HandlerName, Outcome, Payload } from "@hookpkg/spec";
import type { RunCall } from "../chain/chain.ts";
import type { Runnable } from "../gate/runnable.ts";
import type { Engine, Request } from "../request.ts";
import { Emissions, MAX_EMIT_DEPTH, MAX_EMITTED_AN_EVENT } from "./emissions.ts";
import { emitted, MAX_EMITTED_BYTES, toldByHost } from "./emitted.ts";

const code = (work: () => unknown) => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return isFault(error) ? error.code : `${error}`;
  }
};

test.each([
  ["custom.a", null, '{"name":"custom.a","data":null}'],
  ["custom.build.done", { deep: [1] }, '{"name":"custom.build.done","data":{"deep":[1]}}'],
  ["custom.a", undefined, '{"name":"custom.a","data":null}'],
  ["custom.", 1, "E_EMIT_NAME"],
  ["custom", 1, "E_EMIT_NAME"],
  ["custom.Deploy", 1, "E_EMIT_NAME"],
  ["custom.a b", 1, "E_EMIT_NAME"],
  [`custom.${"a".repeat(100)}`, 1, "E_EMIT_NAME"],
  ["skill.used", 1, "E_EMIT_NAME"],
  ["spend.day", 1, "E_EMIT_NAME"],
  ["SessionEnd", 1, "E_EMIT_NAME"],
  [7, 1, "E_EMIT_NAME"],
  ["custom.a", 1n, "E_EMIT_DATA"],
  ["custom.a", () => 1, "E_EMIT_DATA"],
  [
    "custom.a",
    {
      toJSON: () => {
        throw Object.create(null);
      },
    },
    "E_EMIT_DATA",
  ],
  ["custom.a", "x".repeat(MAX_EMITTED_BYTES - 1), "E_EMIT_SIZE"],
] as const)("%p with %p", (name, data, want) => expect(code(() => emitted(name, data))).toBe(want));

test("what is told is a copy, of 64 KiB in bytes", () => {
  const data = { a: [1] };
  const told = emitted("custom.a", data);
  data.a.push(2);
  expect(told.data).toEqual({ a: [1] });
  expect(code(() => emitted("custom.a", "x".repeat(MAX_EMITTED_BYTES - 2)))).toContain("custom.a");
  expect(code(() => emitted("custom.a", "漢".repeat(MAX_EMITTED_BYTES / 3)))).toBe("E_EMIT_SIZE");
});

test("who told a notice is ours to say; of what a host tells nothing else is lost", () => {
  const at = { session_id: "s", transcript_path: null, cwd: "/p" };
  const custom: Payload = { ...at, hook_event_name: "custom.deploy", payload: { emitted_by: "x" }, mine: 1 };
  expect(toldByHost({ ...custom, emitted_by: "@acme/ops#ship" })).toEqual(custom);
  expect(toldByHost(custom)).toEqual(custom);
  const known: Payload = { ...at, hook_event_name: "Notification", emitted_by: "a field of the host's" };
  expect(toldByHost(known)).toEqual(known);
});

test("what is told is no deeper than any reader goes", () => {
  const nested = (times: number) => JSON.parse("[".repeat(times) + "]".repeat(times));
  expect(code(() => emitted("custom.a", nested(30)))).toContain("[[[");
  for (const depth of [40, 20_000]) expect(code(() => emitted("custom.a", nested(depth)))).toBe("E_EMIT_DATA");
});

/** A handler's `emit`, as the engine hands it on. */
async function emitOf(emissions: Emissions): Promise<NonNullable<RunCall["emit"]>> {
  let emit: RunCall["emit"];
  const run = () => async (_: Runnable, call: RunCall) => {
    emit = call.emit;
    return { outcome: "answered", answer: { answer: "continue" }, ms: 0 } satisfies Outcome;
  };
  const name: HandlerName = "@a/b#c";
  const heard = emissions.heardFrom({ run } as unknown as Engine); // nothing else of it is used
  await heard.run({} as Request, undefined)({ name } as Runnable, {} as RunCall);
  if (emit === undefined) throw new Error("nobody listens");
  return emit;
}

test("an event brings so many notices and no more, however they are spread", async () => {
  const first = new Emissions();
  const second = first.next();
  const [one, other] = [await emitOf(first), await emitOf(second)];
  for (let n = 0; n < MAX_EMITTED_AN_EVENT / 2; n++) {
    one({ name: "custom.a", data: n });
    other({ name: "custom.b", data: n });
  }
  expect(code(() => one({ name: "custom.a", data: 0 }))).toBe("E_EMIT_TOTAL");
  expect(code(() => other({ name: "custom.a", data: 0 }))).toBe("E_EMIT_TOTAL");
  expect([first.take().length, second.take()[0]]).toEqual([
    MAX_EMITTED_AN_EVENT / 2,
    { name: "custom.b", data: 0, by: "@a/b#c" },
  ]);
  expect(first.isEmpty).toBe(true);
});

test("and so many in a row", async () => {
  let emissions = new Emissions();
  for (let depth = 0; depth < MAX_EMIT_DEPTH; depth++) {
    (await emitOf(emissions))({ name: "custom.a", data: depth });
    emissions = emissions.next();
  }
  const emit = await emitOf(emissions);
  expect(code(() => emit({ name: "custom.a", data: 0 }))).toBe("E_EMIT_DEPTH");
});
