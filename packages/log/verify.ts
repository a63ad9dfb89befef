import { refuse } from "./faults.ts";
import { HASH_BYTES, type Hash, nodeHash, sameHash } from "./hash.ts";
import { requireSize } from "./tree.ts";

/** C2SP tlog-witness: no proof is longer. */
export const MAX_PROOF_HASHES = 63;

/** A tree as a checkpoint states it. */
export type TreeHead = { readonly size: number; readonly root: Hash };

/** RFC 9162 §2.1.3.2. Throws E_LOG_INCLUSION unless `proof` shows `leaf` (a leaf hash) at `index` of `tree`. */
export function verifyInclusion(tree: TreeHead, index: number, leaf: Hash, proof: readonly Hash[]): void {
  requireSize(tree.size);
  requireSize(index);
  requireHashes(proof);
  requireHashes([leaf, tree.root]);
  if (index >= tree.size) throw refuse("E_LOG_INCLUSION", { index, size: tree.size });
  let at = index;
  let last = tree.size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) throw refuse("E_LOG_INCLUSION", { index, size: tree.size, why: "too long" });
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      [at, last] = skipLevelsWithoutSibling(at, last);
    } else {
      hash = nodeHash(hash, sibling);
    }
    at = half(at);
    last = half(last);
  }
  if (last !== 0 || !sameHash(hash, tree.root)) throw refuse("E_LOG_INCLUSION", { index, size: tree.size });
}

/**
 * RFC 9162 §2.1.4.2. Throws unless the `newer` tree begins with the `older`: E_LOG_SHRUNK (smaller), E_LOG_FORKED
 * (same size, other root: evidence of two logs), E_LOG_INCONSISTENT (not shown).
 */
export function verifyConsistency(older: TreeHead, newer: TreeHead, proof: readonly Hash[]): void {
  requireSize(older.size);
  requireSize(newer.size);
  requireHashes(proof);
  requireHashes([older.root, newer.root]);
  const facts = { older: older.size, newer: newer.size };
  if (newer.size < older.size) throw refuse("E_LOG_SHRUNK", facts);
  if (older.size === newer.size && !sameHash(older.root, newer.root)) throw refuse("E_LOG_FORKED", facts);
  if (older.size === 0 || older.size === newer.size) {
    if (proof.length > 0) throw refuse("E_LOG_INCONSISTENT", facts);
    return;
  }
  const [oldRoot, newRoot] = rootsFrom(older, newer.size, proof);
  if (!sameHash(oldRoot, older.root) || !sameHash(newRoot, newer.root)) throw refuse("E_LOG_INCONSISTENT", facts);
}

/** The two roots that a consistency proof leads to. */
function rootsFrom(older: TreeHead, newSize: number, proof: readonly Hash[]): [older: Hash, newer: Hash] {
  const facts = { older: older.size, newer: newSize };
  // The old tree is one complete subtree: its root is left out of the proof.
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : [...proof];
  let at = older.size - 1;
  let last = newSize - 1;
  while (at % 2 === 1) {
    at = half(at);
    last = half(last);
  }
  const [first, ...rest] = path;
  if (first === undefined) throw refuse("E_LOG_INCONSISTENT", facts);
  let oldHash = first;
  let newHash = first;
  for (const sibling of rest) {
    if (last === 0) throw refuse("E_LOG_INCONSISTENT", { ...facts, why: "too long" });
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      [at, last] = skipLevelsWithoutSibling(at, last);
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    at = half(at);
    last = half(last);
  }
  if (last !== 0) throw refuse("E_LOG_INCONSISTENT", { ...facts, why: "too short" });
  return [oldHash, newHash];
}

function skipLevelsWithoutSibling(at: number, last: number): [at: number, last: number] {
  let [a, l] = [at, last];
  while (a % 2 === 0 && a !== 0) {
    a = half(a);
    l = half(l);
  }
  return [a, l];
}

function requireHashes(hashes: readonly Hash[]): void {
  if (hashes.length > MAX_PROOF_HASHES) throw refuse("E_LOG_PROOF", { hashes: hashes.length });
  for (const hash of hashes) if (hash.length !== HASH_BYTES) throw refuse("E_LOG_PROOF", { bytes: hash.length });
}

const half = (n: number) => Math.floor(n / 2);

const isPowerOfTwo = (n: number) => 2 ** Math.round(Math.log2(n)) === n;
