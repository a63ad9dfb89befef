import type { Packed } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { type Receipt, verifyReceipt } from "@hookpkg/log";
import type { VersionAnswer } from "@hookpkg/protocol";
import { logLeaf, openRelease, releaseSubject } from "@hookpkg/signing";
import type { PackageName, Sha256, Version } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { seeCheckpoint } from "../registry/checkpoint.ts";
import type { Desk } from "./desk.ts";
import type { Loaded } from "./load.ts";
import type { Signed } from "./sign.ts";

declare const uploaded: unique symbol;

/** Station 4: a release that the registry's log holds, proved. `already`: it was there before. */
export type Uploaded = {
  readonly [uploaded]: true;
  name: PackageName;
  version: Version;
  registry: string;
  integrity: string;
  index: number;
  already: boolean;
};

/** Sends the archive, then the papers, and believes the registry only what the log's key signs. */
export async function upload({ packed, release, envelope, statement }: Signed, desk: Desk): Promise<Uploaded> {
  const { client } = desk.registry;
  await client.putBlob(packed.tar);
  const { receipt } = await client.publish(release.name, release.version, envelope);
  return proved({ ...release, statement, receipt, integrity: packed.sha512, already: false }, desk);
}

/** The same bytes, published before; `null` if the version is free. Other bytes under this version: E_PUBLISH_DIFFERS. */
export async function uploadedBefore(packed: Packed, { spec }: Loaded, desk: Desk): Promise<Uploaded | null> {
  const { name, version } = spec.manifest;
  const there = await answered(desk.registry.client.version(name, version));
  if (there === null) return null;
  const { release, statement } = await openRelease(there.envelope, desk.scope);
  if (release.name !== name || release.version !== version || release.tarSha256 !== packed.sha256)
    throw refuse("E_PUBLISH_DIFFERS", { name, version, expected: release.tarSha256, found: packed.sha256 });
  return proved({ name, version, statement, receipt: there.receipt, integrity: packed.sha512, already: true }, desk);
}

type Claimed = {
  name: PackageName;
  version: Version;
  statement: Sha256;
  receipt: Receipt;
  integrity: string;
  already: boolean;
};

async function proved(claimed: Claimed, { home, registry }: Desk): Promise<Uploaded> {
  const { name, version, statement, receipt, integrity, already } = claimed;
  verifyReceipt(receipt, logLeaf("release", releaseSubject(name, version), statement), registry.key);
  await seeCheckpoint(home, registry, receipt.checkpoint);
  const result = { name, version, registry: registry.client.url, integrity, index: receipt.index, already };
  return result as unknown as Uploaded; // the brand has no value
}

async function answered(answer: Promise<VersionAnswer>): Promise<VersionAnswer | null> {
  try {
    return await answer;
  } catch (error) {
    if (isFault(error, "E_REGISTRY_NOT_FOUND")) return null;
    throw error;
  }
}
