import type { PackageName, Scope, Sha256 } from "@hookpkg/spec";
import type { PublicKey } from "./public-key.ts";

export type Role = "publish" | "vet";

/** What a release key may do. `packages`: `@s/n`, `@s/prefix-*` or `@s/*`; `expires`: `2027-11-30T00:00:00Z`. */
export type Delegation = { key: PublicKey; packages: readonly string[]; roles: readonly Role[]; expires: string };

export type ScopeRoot = { keys: readonly PublicKey[]; threshold: number };

/** One statement of a scope's chain. `prev`: digest of the statement before it, `null` for the first. */
export type ScopeStatement = {
  scope: Scope;
  seq: number;
  prev: Sha256 | null;
  root: ScopeRoot;
  release: readonly Delegation[];
};

/** A scope as of one verified statement; `head` is that statement's digest. Made by the chain's verifier only. */
export type ScopeState = { scope: Scope; seq: number; head: Sha256; root: ScopeRoot; release: readonly Delegation[] };

/** Keys that may act for a package in a role. `at`: those expired by then are left out; without it expiry is not asked. */
export function releaseKeysFor(state: ScopeState, name: PackageName, role: Role = "publish", at?: Date): PublicKey[] {
  return state.release
    .filter((delegation) => delegation.roles.includes(role))
    .filter((delegation) => delegation.packages.some((glob) => globCovers(glob, name)))
    .filter((delegation) => at === undefined || at.getTime() < Date.parse(delegation.expires))
    .map(({ key }) => key);
}

function globCovers(glob: string, name: string): boolean {
  return glob.endsWith("*") ? name.startsWith(glob.slice(0, -1)) : glob === name;
}
