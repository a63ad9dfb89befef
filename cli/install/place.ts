import { placeTree, removeTree } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import type { Lock, LockEntry } from "@hookpkg/spec";
import type { Verified } from "./verify.ts";

declare const placed: unique symbol;

/** Station 10: in the store and, as a proposal, ready for the lock. Nothing runs because of it. */
export type Placed = { readonly [placed]: true; key: string; entry: LockEntry };

/** Puts verified bytes into the content-addressed store. Only what `verify` made can be handed over. */
export async function place(verified: Verified, store: string): Promise<Placed> {
  await placeWhole(verified.archive, store);
  const { key, archive, spec, identities, registry, release } = verified;
  const entry: LockEntry = {
    version: spec.manifest.version,
    registry,
    integrity: archive.sha512,
    tree: archive.tree,
    ...(release ? { statement: release.statement, log: release.log } : {}),
    handlers: Object.fromEntries(identities.map(({ id, identity }) => [id, identity])),
  };
  return { key, entry } as unknown as Placed; // the brand has no value; the bytes are in the store by now
}

/** Stored bytes that differ are no use to anybody: verified ones take their place, so an install mends the store. */
async function placeWhole(archive: Verified["archive"], store: string): Promise<void> {
  try {
    await placeTree(store, archive);
  } catch (error) {
    if (!isFault(error, "E_STORE_DIFFERS")) throw error;
    await removeTree(store, archive.tree);
    await placeTree(store, archive);
  }
}

/**
 * The lock with these proposals; a package keeps its place, a new one goes last: order is the order of the chain. What is locked
 * already stays as it stands, with the checkpoint of its own install.
 */
export function proposedLock(lock: Lock, all: readonly Placed[]): Lock {
  const packages = { ...lock.packages };
  for (const { key, entry } of all) packages[key] = isSame(packages[key], entry) ? (packages[key] ?? entry) : entry;
  return { lock: 1, packages };
}

/** The same bytes by the same statement; where the log stood has no part in it. */
export function isSame(locked: LockEntry | undefined, entry: LockEntry): boolean {
  return locked !== undefined && Bun.deepEquals({ ...locked, log: undefined }, { ...entry, log: undefined });
}
