import type { PackageMetadata, VersionSummary } from "@hookpkg/protocol";
import { compareVersions, highestIn, type PackageName } from "@hookpkg/spec";
import type { Store, StoredVersion } from "../store/store.ts";

/** A package's metadata as it is sent (`body`). `etag` changes with every version that becomes visible. */
export type Prepared = {
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly versions: readonly Listed[];
};

/** A version that may be shown, and its place in the log. */
export type Listed = { readonly version: string; readonly index: number };

export type Metadata = (name: PackageName) => Promise<Prepared | null>;

const MAX_PREPARED_BYTES = 64 * 1024 * 1024;

/** Prepares metadata and keeps it while it is current; the least lately asked for goes first. */
export function createMetadata(store: Store): Metadata {
  const kept = new Map<PackageName, Prepared>();
  let bytes = 0;
  const drop = (name: PackageName) => {
    bytes -= kept.get(name)?.body.byteLength ?? 0;
    kept.delete(name);
  };
  return async (name) => {
    const tag = await store.versionsTag(name);
    if (tag === null) return null;
    const etag = `"${tag}"`;
    const there = kept.get(name);
    const prepared = there?.etag === etag ? there : prepare(name, etag, await store.versions(name));
    drop(name);
    kept.set(name, prepared);
    bytes += prepared.body.byteLength;
    for (const oldest of kept.keys()) {
      if (bytes <= MAX_PREPARED_BYTES || oldest === name) break;
      drop(oldest);
    }
    return prepared;
  };
}

function prepare(name: PackageName, etag: string, stored: readonly StoredVersion[]): Prepared {
  const metadata = metadataOf(name, stored);
  const versions = metadata.versions.map(({ version, index }) => ({ version, index }));
  return { etag, body: new TextEncoder().encode(JSON.stringify(metadata)), versions };
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
