import { consistencyProof } from "@hookpkg/log";
import { type ResolveAnswer, type ResolveRequest, refuseRequest, type VersionAnswer } from "@hookpkg/protocol";
import { highestIn, type PackageName, parsePackageName, parseRange, scopeOf } from "@hookpkg/spec";
import { receiptOf, requireHead } from "../log/sequencer.ts";
import { loggedChain } from "../scopes/route.ts";
import type { Head, Store, StoredVersion } from "../store/store.ts";
import type { Metadata } from "./metadata.ts";

export type Sources = { readonly store: Store; readonly metadata: Metadata };
type Wanted = { readonly name: PackageName; readonly range: string };

/**
 * The highest version in each range, with everything that is needed to verify it, as of one checkpoint. All or nothing:
 * E_REGISTRY_NOT_FOUND names every package that has no such version.
 */
export async function resolve(sources: Sources, { packages, since = 0 }: ResolveRequest): Promise<ResolveAnswer> {
  const wanted = Object.entries(packages).map(([name, range]) => ({
    name: parsePackageName(name),
    range: parseRange(range),
  }));
  const { store } = sources;
  const head = await requireHead(store);
  if (since > head.size) throw refuseRequest("E_REGISTRY_NOT_FOUND", { since, size: head.size });
  const found: VersionAnswer[] = [];
  const missing: { name: string; range: string }[] = [];
  for (const { name, range } of wanted) {
    const stored = await highest(sources, { name, range }, head);
    if (stored === null) missing.push({ name, range });
    else found.push(await versionAnswer(store, stored, head));
  }
  if (missing.length > 0) throw refuseRequest("E_REGISTRY_NOT_FOUND", { missing });
  const scopes = [...new Set(wanted.map(({ name }) => scopeOf(name)))].sort();
  return {
    checkpoint: head.note,
    consistency: (await consistencyProof(store, since, head.size)).map((hash) => Buffer.from(hash).toString("base64")),
    packages: found,
    scopes: await Promise.all(scopes.map((scope) => loggedChain(store, scope, head))),
  };
}

/** A stored version as it is shown: E_REGISTRY_NOT_FOUND unless the log of `head` holds it. */
export async function versionAnswer(store: Store, stored: StoredVersion, head: Head): Promise<VersionAnswer> {
  const { name, version, envelope, index } = stored;
  if (index === null || index >= head.size) throw refuseRequest("E_REGISTRY_NOT_FOUND", { name, version });
  return { name, version, envelope: JSON.parse(envelope), receipt: await receiptOf(store, index, head) };
}

async function highest(
  { store, metadata }: Sources,
  { name, range }: Wanted,
  head: Head,
): Promise<StoredVersion | null> {
  const versions = (await metadata(name))?.versions.filter(({ index }) => index < head.size) ?? [];
  const version = highestIn(
    versions.map((listed) => listed.version),
    range,
  );
  return version === undefined ? null : store.version(name, version);
}
