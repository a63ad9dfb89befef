import type { Packed } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import type { PackageMetadata } from "@hookpkg/protocol";
import { type Envelope, type ReleaseStatement, signRelease, statementDigest } from "@hookpkg/signing";
import { isSha256, isVersion, type PackageName, type Sha256 } from "@hookpkg/spec";
import { type Desk, openPublisherKey } from "./desk.ts";
import type { Loaded } from "./load.ts";

declare const signed: unique symbol;

/** Station 3: an archive and the signed statement about it. Only `sign` makes one. */
export type Signed = {
  readonly [signed]: true;
  packed: Packed;
  release: ReleaseStatement;
  envelope: Envelope;
  statement: Sha256;
};

/** States what the archive is and holds, and signs it with the publisher's key. */
export async function sign(packed: Packed, loaded: Loaded, desk: Desk): Promise<Signed> {
  const { name, version, requires } = loaded.spec.manifest;
  const key = await openPublisherKey(desk, name);
  const { hookpkg, programs, events } = requires;
  const release: ReleaseStatement = {
    name,
    version,
    tarSha256: packed.sha256,
    tarSha512: packed.sha512,
    treeSha256: packed.tree,
    handlers: loaded.identities.map(({ id, identity }) => ({ id, identity })),
    previous: await previousOf(name, desk),
    requires: { ...(hookpkg === undefined ? {} : { hookpkg }), programs: [...programs], events: [...events] },
    scopeSeq: desk.scope.seq,
  };
  const envelope = await signRelease(release, [key]);
  const result = { packed, release, envelope, statement: statementDigest(envelope) };
  return result as unknown as Signed; // the brand has no value
}

/** The release that was logged last, or `null` for a package's first. */
async function previousOf(name: PackageName, { registry }: Desk): Promise<ReleaseStatement["previous"]> {
  const versions = (await metadataOf(registry.client.metadata(name)))?.versions ?? [];
  const last = versions.toSorted((a, b) => b.index - a.index)[0];
  if (!last || !isVersion(last.version) || !isSha256(last.statement)) return null;
  return { version: last.version, statement: last.statement };
}

async function metadataOf(answer: Promise<{ metadata: PackageMetadata | null }>): Promise<PackageMetadata | null> {
  try {
    return (await answer).metadata;
  } catch (error) {
    if (isFault(error, "E_REGISTRY_NOT_FOUND")) return null;
    throw error;
  }
}
