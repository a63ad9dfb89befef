import type { PackageMetadata, VersionSummary } from "@hookpkg/protocol";
import { compareVersions, highestIn, type PackageName } from "@hookpkg/spec";
import type { Store, StoredVersion } from "../store/store.ts";

/** A package's metadata as it is sent. `etag` changes with every version that becomes visible. */
export type Prepared = { readonly etag: string; readonly body: string };

const MAX_PREPARED_CHARACTERS = 64 * 1024 * 1024;

/** Prepares metadata and keeps it while it is current; the least lately asked for goes first. */
export function createMetadata(store: Store): (name: PackageName) => Promise<Prepared | null> {
  const kept = new Map<PackageName, Prepared>();
  let characters = 0;
  const drop = (name: PackageName) => {
    characters -= kept.get(name)?.body.length ?? 0;
    kept.delete(name);
  };
  return async (name) => {
    const tag = await store.versionsTag(name);
    if (tag === null) return null;
    const etag = `"${tag}"`;
    const there = kept.get(name);
    const prepared =
      there?.etag === etag ? there : { etag, body: JSON.stringify(metadataOf(name, await store.versions(name))) };
    drop(name);
    kept.set(name, prepared);
    characters += prepared.body.length;
    for (const oldest of kept.keys()) {
      if (characters <= MAX_PREPARED_CHARACTERS || oldest === name) break;
      drop(oldest);
    }
    return prepared;
  };
}

function metadataOf(name: PackageName, stored: readonly StoredVersion[]): PackageMetadata {
  const versions = stored
    .flatMap(({ summary, index }) => (index === null ? [] : [withIndex(summary, index)]))
    .sort((a, b) => compareVersions(b.version, a.version));
  const all = versions.map(({ version }) => version);
  return { name, latest: highestIn(all, "*") ?? all[0] ?? "", versions };
}

function withIndex(summary: string, index: number): VersionSummary {
  return { ...JSON.parse(summary), index };
}
