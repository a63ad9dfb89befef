import type { Growth, HashReader } from "@hookpkg/log";
import type { PackageName, Scope, Sha256 } from "@hookpkg/spec";

/** A release that was checked. `envelope` and `summary` are JSON text, `leaf` the log entry's bytes. */
export type NewVersion = {
  readonly name: PackageName;
  readonly version: string;
  readonly statement: Sha256;
  readonly envelope: string;
  readonly summary: string;
  readonly tarSha256: Sha256;
  readonly leaf: Uint8Array;
};

/** A scope statement that was checked. `skeleton`: what the scope looks like; one scope may have it. */
export type NewScopeStatement = {
  readonly scope: Scope;
  readonly seq: number;
  readonly statement: Sha256;
  readonly envelope: string;
  readonly skeleton: string;
  readonly leaf: Uint8Array;
};

/**
 * `added`: it is stored and waits for the log as `entry`. `same`: that very statement was there before. `other`: the
 * place is taken by another statement, for ever. `lookalike`: another scope looks like this one.
 */
export type Added =
  | { readonly kind: "added" | "same"; readonly entry: number }
  | { readonly kind: "other"; readonly statement: Sha256 }
  | { readonly kind: "lookalike"; readonly scope: string };

export type StoredVersion = {
  readonly name: PackageName;
  readonly version: string;
  readonly statement: Sha256;
  readonly envelope: string;
  readonly summary: string;
  readonly entry: number;
  /** Place in the log; `null` = not yet logged, so nobody may be shown it. */
  readonly index: number | null;
};

export type StoredScopeStatement = {
  readonly seq: number;
  readonly statement: Sha256;
  readonly envelope: string;
  readonly entry: number;
  readonly index: number | null;
};

/** The log as last committed. `note` is its signed checkpoint. */
export type Head = { readonly size: number; readonly root: Uint8Array; readonly note: string };

/** An entry that waits for the log, in order of `id`. */
export type Pending = { readonly id: number; readonly leaf: Uint8Array };

/** A batch for the log: the entries in order, the nodes they complete, the head that follows. */
export type Batch = { readonly entries: readonly number[]; readonly growth: Growth; readonly head: Head };

/**
 * All that the server remembers, blobs apart. Every implementation runs `storeContract`. Each call is atomic and durable
 * once it answers. Readers of the public must pass over what has no log index.
 */
export type Store = HashReader & {
  addVersion(version: NewVersion): Promise<Added>;
  addScopeStatement(statement: NewScopeStatement): Promise<Added>;
  version(name: PackageName, version: string): Promise<StoredVersion | null>;
  versions(name: PackageName): Promise<readonly StoredVersion[]>;
  /** Changes whenever `versions` would show the public something else; `null` = nothing to show. */
  versionsTag(name: PackageName): Promise<string | null>;
  scopeChain(scope: Scope): Promise<readonly StoredScopeStatement[]>;
  /** Whether a release, logged or not, is over this archive. */
  refersTo(tarSha256: Sha256): Promise<boolean>;
  /** Whether a logged release is over this archive. */
  shows(tarSha256: Sha256): Promise<boolean>;
  /** `null` until the first `initHead`. */
  head(): Promise<Head | null>;
  /** Sets the head of the empty log; nothing if there is a head. */
  initHead(head: Head): Promise<void>;
  pending(limit: number): Promise<readonly Pending[]>;
  /** Swaps the head from `size` to the batch's and makes its entries visible; false if the head is no longer at `size`. */
  commit(size: number, batch: Batch): Promise<boolean>;
  indexOf(entry: number): Promise<number | null>;
  /** Leaves of the log from `first` on. */
  leaves(first: number, count: number): Promise<readonly Uint8Array[]>;
  close(): Promise<void>;
};
