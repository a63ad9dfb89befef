import { canonicalBytes, type PackageName, type Scope, type Sha256 } from "@hookpkg/spec";

/** The log's entry for a release. `statement` = SHA-256 of the DSSE payload bytes. */
export function releaseLeaf(name: PackageName, version: string, statement: Sha256): Uint8Array {
  return canonicalBytes({ v: 1, kind: "release", subject: `${name}@${version}`, statement });
}

/** The log's entry for one statement of a scope's chain. */
export function scopeLeaf(scope: Scope, seq: number, statement: Sha256): Uint8Array {
  return canonicalBytes({ v: 1, kind: "scope", subject: `${scope}/${seq}`, statement });
}
