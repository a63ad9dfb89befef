/** A SHA-256 digest, 32 bytes. */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;

/** RFC 6962 §2.1: the hash of an entry. The prefix keeps an entry from posing as an inner node. */
export function leafHash(entry: Uint8Array): Hash {
  return sha256(LEAF_PREFIX, entry);
}

/** RFC 6962 §2.1: the hash of an inner node. */
export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(NODE_PREFIX, left, right);
}

/** The root of the tree without entries. */
export function emptyRoot(): Hash {
  return sha256();
}

export function sha256(...parts: readonly Uint8Array[]): Hash {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of parts) hasher.update(part);
  return new Uint8Array(hasher.digest());
}

export function sameHash(a: Hash, b: Hash): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);
