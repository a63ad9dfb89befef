import { refuse } from "./faults.ts";
import { emptyRoot, type Hash, leafHash, nodeHash } from "./hash.ts";

/** A complete subtree: `level` 0 is an entry's hash; node (L, i) covers the entries i·2^L … (i+1)·2^L − 1. */
export type Node = { readonly level: number; readonly index: number };

/**
 * Where the hashes of complete subtrees are kept. Such a hash never changes once written, so any store, cache or tile
 * file will do. `read` answers in the order asked; a node that isn't there is the store's error.
 */
export type HashReader = { read(nodes: readonly Node[]): readonly Hash[] | Promise<readonly Hash[]> };

/** Entries an append adds, as nodes to write: every subtree that became complete, children before parents. */
export type Growth = { readonly size: number; readonly nodes: readonly (Node & { readonly hash: Hash })[] };

/** The root of the tree over the first `size` entries. */
export async function rootHash(store: HashReader, size: number): Promise<Hash> {
  requireSize(size);
  return size === 0 ? emptyRoot() : ((await hashesOf(store, [[0, size]]))[0] ?? emptyRoot());
}

/** RFC 6962 §2.1.1: the path that proves entry `index` in the tree of `size`, leaf's sibling first. */
export async function inclusionProof(store: HashReader, index: number, size: number): Promise<Hash[]> {
  requireSize(size);
  requireSize(index);
  if (index >= size) throw refuse("E_LOG_RANGE", { index, size });
  return hashesOf(store, inclusionRanges(index, 0, size));
}

/** RFC 6962 §2.1.2: what proves that the tree of `newer` entries begins with the tree of `older`. Empty for 0 and for equal sizes. */
export async function consistencyProof(store: HashReader, older: number, newer: number): Promise<Hash[]> {
  requireSize(older);
  requireSize(newer);
  if (older > newer) throw refuse("E_LOG_RANGE", { older, newer });
  if (older === 0 || older === newer) return [];
  return hashesOf(store, consistencyRanges(older, 0, newer, true));
}

/** Appends entries to a tree of `size`; reads only its right edge. Writing what it answers is the caller's. */
export async function grow(store: HashReader, size: number, entries: readonly Uint8Array[]): Promise<Growth> {
  requireSize(size + entries.length);
  const edge = subtrees(0, size);
  const hashes = await read(store, edge);
  const open = edge.map((node, at) => ({ ...node, hash: hashes[at] ?? emptyRoot() }));
  const nodes: (Node & { hash: Hash })[] = [];
  entries.forEach((entry, at) => {
    let node = { level: 0, index: size + at, hash: leafHash(entry) };
    nodes.push(node);
    // A right child is always odd; it completes its parent as soon as it is there.
    while (node.index % 2 === 1) {
      const left = open.pop();
      if (left === undefined || left.level !== node.level) throw refuse("E_LOG_STORE", { level: node.level });
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left.hash, node.hash) };
      nodes.push(node);
    }
    open.push(node);
  });
  return { size: size + entries.length, nodes };
}

/** Half-open run of entries that RFC 6962 hashes as one list; its start is always a multiple of its largest subtree. */
type Range = readonly [from: number, to: number];

function inclusionRanges(index: number, from: number, to: number): Range[] {
  if (to - from === 1) return [];
  const middle = from + largestPowerBelow(to - from);
  return index < middle
    ? [...inclusionRanges(index, from, middle), [middle, to]]
    : [...inclusionRanges(index, middle, to), [from, middle]];
}

function consistencyRanges(older: number, from: number, to: number, whole: boolean): Range[] {
  if (older === to) return whole ? [] : [[from, to]];
  const middle = from + largestPowerBelow(to - from);
  return older <= middle
    ? [...consistencyRanges(older, from, middle, whole), [middle, to]]
    : [...consistencyRanges(older, middle, to, false), [from, middle]];
}

async function hashesOf(store: HashReader, ranges: readonly Range[]): Promise<Hash[]> {
  const parts = ranges.map(([from, to]) => subtrees(from, to));
  const hashes = await read(store, parts.flat());
  let next = 0;
  return parts.map((nodes) => {
    const own = hashes.slice(next, next + nodes.length);
    next += nodes.length;
    return own.reduceRight((right, left) => nodeHash(left, right));
  });
}

async function read(store: HashReader, nodes: readonly Node[]): Promise<readonly Hash[]> {
  if (nodes.length === 0) return [];
  const hashes = await store.read(nodes);
  if (hashes.length !== nodes.length) throw refuse("E_LOG_STORE", { asked: nodes.length, got: hashes.length });
  return hashes;
}

/** The complete subtrees that make up a range, largest first. */
function subtrees(from: number, to: number): Node[] {
  const nodes: Node[] = [];
  let at = from;
  while (at < to) {
    const level = Math.floor(Math.log2(to - at));
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

function largestPowerBelow(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}

/** Math.log2 is exact enough to find the power below only up to here; far beyond any log. */
export const MAX_TREE_ENTRIES = 2 ** 40;

export function requireSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0 || size > MAX_TREE_ENTRIES) throw refuse("E_LOG_RANGE", { size });
}
