import { expect, test } from "bun:test";
import fc from "fast-check";
import { FrameReader } from "./worker-frames.ts";

const frames = fc.array(
  fc.oneof(
    fc.record({ id: fc.nat(), answer: fc.jsonValue() }),
    fc.record({
      id: fc.nat(),
      rpc: fc.constantFrom("log", "fetch"),
      n: fc.integer({ min: 1, max: 99 }),
      args: fc.string(),
    }),
    fc.constant({ ready: 1 }),
  ),
);

test("however the bytes are cut, the frames are the same", () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
      const clean = JSON.parse(JSON.stringify(sent).replaceAll("__proto__", "proto"));
      const bytes = Buffer.from(clean.map((frame: unknown) => `${JSON.stringify(frame)}\n`).join(""));
      const reader = new FrameReader();
      const read: unknown[] = [];
      for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
        const size = cuts[turn % cuts.length] ?? 1;
        read.push(...reader.read(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(JSON.parse(JSON.stringify(read))).toEqual(clean);
    }),
  );
});

test("any bytes are frames or refused, and nothing else happens", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        expect(Array.isArray(new FrameReader().read(bytes))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
});

test("a line that never ends is refused as soon as it is too long", () => {
  const reader = new FrameReader();
  const chunk = new Uint8Array(1024 * 1024).fill(32);
  for (let sent = 0; sent < 8; sent++) expect(reader.read(chunk)).toEqual([]);
  expect(() => reader.read(chunk)).toThrow("too long");
});
