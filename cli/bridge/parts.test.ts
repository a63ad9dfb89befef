import { expect, test } from "bun:test";
import fc from "fast-check";
import { readMessage } from "./json-rpc.ts";
import { Lines } from "./lines.ts";

test("lines are the same however the bytes are cut; one that is too long is told of once, the next is read", () => {
  const line = fc.stringMatching(/^[a-z]{1,20}$/);
  const cut = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(line), cut, (lines, sizes) => {
      const got: string[] = [];
      const reader = new Lines((one) => got.push(one === "too long" ? one : new TextDecoder().decode(one)), 10);
      let rest = new TextEncoder().encode(lines.map((one) => `${one}\n`).join(""));
      for (let n = 0; rest.length > 0; n++) {
        const size = sizes[n % sizes.length] ?? 1;
        reader.push(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
      expect(got).toEqual(lines.map((one) => (one.length > 10 ? "too long" : one)));
    }),
  );
});

test("no bytes make the reader of messages throw", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.jsonValue(), (bytes, value) => {
      expect(["bad", "call", "answer"]).toContain(readMessage(bytes).kind);
      expect(["bad", "call", "answer"]).toContain(readMessage(new TextEncoder().encode(JSON.stringify(value))).kind);
    }),
  );
});
