import { refuse } from "./faults.ts";
import { type Node, requireSize } from "./tree.ts";

/**
 * C2SP tlog-tiles: a run of up to 256 hashes of one tree level (`level` × 8), or of entries (`level` "entries").
 * `width` below 256 is a partial tile, of the log's right edge.
 */
export type Tile = { readonly level: number | "entries"; readonly index: number; readonly width: number };

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
const MAX_TILE_LEVEL = 5;

/** C2SP: an entry's length is written in two bytes. */
export const MAX_ENTRY_BYTES = 65_535;

/** `tile/<level>/<index in groups of three digits>[.p/<width>]`, without a leading slash. */
export function tilePath(tile: Tile): string {
  const digits = String(tile.index).padStart(Math.ceil(String(tile.index).length / 3) * 3, "0");
  const groups = digits.match(/\d{3}/g) ?? [];
  const index = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${tile.level}/${index}${tile.width === TILE_WIDTH ? "" : `.p/${tile.width}`}`;
}

/** Reads a tile's path; one spelling per tile, else E_LOG_TILE. */
export function parseTilePath(path: string): Tile {
  const match = TILE_PATH.exec(path);
  const [, level = "", index = "", width = `${TILE_WIDTH}`] = match ?? [];
  const tile: Tile = {
    level: level === "entries" ? "entries" : Number(level),
    index: Number(index.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
  const known = tile.level === "entries" || tile.level <= MAX_TILE_LEVEL;
  if (match === null || !known || tilePath(tile) !== path) throw refuse("E_LOG_TILE", { path: path.slice(0, 100) });
  return tile;
}

/** The nodes whose hashes, one after the other, are the tile; E_LOG_RANGE if the tree of `size` has not that many. */
export function tileNodes(tile: Tile, size: number): Node[] {
  requireSize(size);
  const level = tile.level === "entries" ? 0 : tile.level * TILE_HEIGHT;
  const first = tile.index * TILE_WIDTH;
  if (first + tile.width > Math.floor(size / 2 ** level)) throw refuse("E_LOG_RANGE", { size, tile: tilePath(tile) });
  return Array.from({ length: tile.width }, (_, at) => ({ level, index: first + at }));
}

/** An entry bundle: each entry after its length in two bytes, big-endian. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), requireEntry(entry)]),
  );
}

/** An entry that the log's format can hold, else E_LOG_ENTRY_SIZE. */
export function requireEntry(entry: Uint8Array): Uint8Array {
  if (entry.length === 0 || entry.length > MAX_ENTRY_BYTES) throw refuse("E_LOG_ENTRY_SIZE", { bytes: entry.length });
  return entry;
}

const TILE_PATH = /^tile\/(entries|\d)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;
