import { expect, test } from "bun:test";
import fc from "fast-check";
import { entryBundle, parseTilePath, requireEntry, TILE_WIDTH, type Tile, tileNodes, tilePath } from "./index.ts";

test("paths as in the tlog-tiles text", () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe("tile/0/x001/x234/067");
  expect(tilePath({ level: "entries", index: 0, width: 112 })).toBe("tile/entries/000.p/112");
});

test("every tile has one path", () => {
  const level = fc.oneof(fc.constant("entries" as const), fc.nat(5));
  fc.assert(
    fc.property(level, fc.nat(2 ** 31 - 1), fc.integer({ min: 1, max: TILE_WIDTH }), (at, index, width) => {
      const tile: Tile = { level: at, index, width };
      expect(parseTilePath(tilePath(tile))).toEqual(tile);
    }),
  );
});

test.each([
  "tile/0/0",
  "tile/0/000.p/256",
  "tile/0/000.p/0",
  "tile/0/000.p/01",
  "tile/6/000",
  "tile/0/x000/000",
  "tile/0/001/002",
  "tile/0/../000",
  "/tile/0/000",
  "tile/0/000/",
  "tile/names/000",
])("no tile: %s", (path) => {
  expect(() => parseTilePath(path)).toThrow(expect.objectContaining({ code: "E_LOG_TILE" }));
});

test("a tile is there once its hashes are", () => {
  expect(tileNodes({ level: 1, index: 0, width: 2 }, 700)).toEqual([
    { level: 8, index: 0 },
    { level: 8, index: 1 },
  ]);
  expect(() => tileNodes({ level: 1, index: 0, width: 3 }, 700)).toThrow(
    expect.objectContaining({ code: "E_LOG_RANGE" }),
  );
  expect(tileNodes({ level: "entries", index: 2, width: 188 }, 700).at(-1)).toEqual({ level: 0, index: 699 });
});

test("entries are framed by their length", () => {
  expect(Array.from(entryBundle([Uint8Array.of(7), new Uint8Array(258).fill(1)])).slice(0, 6)).toEqual([
    0, 1, 7, 1, 2, 1,
  ]);
  for (const bytes of [0, 65_536]) {
    expect(() => requireEntry(new Uint8Array(bytes))).toThrow(expect.objectContaining({ code: "E_LOG_ENTRY_SIZE" }));
  }
});
