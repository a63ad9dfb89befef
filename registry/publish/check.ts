import { isDeepStrictEqual } from "node:util";
import { type ValidArchive, validateArchive } from "@hookpkg/archive";
import type { Fact } from "@hookpkg/fault";
import { identitiesOf } from "@hookpkg/identity";
import { type HandlerSummary, refuseRequest, type VersionSummary } from "@hookpkg/protocol";
import { logLeaf, openRelease, type ReleaseStatement, releaseSubject } from "@hookpkg/signing";
import { type PackageName, type PackageSpec, parsePackage, refuseReserved, scopeOf, type Version } from "@hookpkg/spec";
import type { Parts } from "../parts.ts";
import { stateOf } from "../scopes/state.ts";
import type { NewVersion } from "../store/store.ts";
import { turns } from "./turns.ts";

/** A release as it came over the wire: nothing in it is true yet. */
export type Upload = { readonly name: PackageName; readonly version: Version; readonly envelope: unknown };

declare const checked: unique symbol;
/** Station 5: a release whose signer, archive and every statement about it were checked. Only `check` makes one. */
export type Checked = { readonly [checked]: true; readonly row: NewVersion };

/** Does again all that the client will do when it installs this, with the same code. The fault names what differs. */
export async function check(parts: Parts, { name, version, envelope }: Upload): Promise<Checked> {
  refuseReserved(name);
  const scope = scopeOf(name);
  const state = await stateOf(scope, await parts.store.scopeChain(scope));
  if (state === null) throw refuseRequest("E_REGISTRY_NO_SCOPE", { scope });
  const { release, statement } = await openRelease(envelope, state, parts.outside.now());
  refuseOtherAddress(release, { name, version });
  await refuseOtherPrevious(parts, release);
  const shown = await archives.inTurn(() => checkArchive(parts, release));
  const summary: Omit<VersionSummary, "index"> = { version, statement, tarSha256: release.tarSha256, ...shown };
  const row: NewVersion = {
    name,
    version,
    statement,
    envelope: JSON.stringify(envelope),
    summary: JSON.stringify(summary),
    tarSha256: release.tarSha256,
    leaf: logLeaf("release", releaseSubject(name, version), statement),
  };
  return { row } as Checked; // the brand has no value
}

/** What metadata says of an archive, once the archive shows all that the release states. */
async function checkArchive({ blobs }: Parts, release: ReleaseStatement) {
  const tar = await blobs.lease(release.tarSha256);
  if (tar === null) throw refuseRequest("E_REGISTRY_NO_BLOB", { tarSha256: release.tarSha256 });
  const archive = validateArchive(tar);
  const pkg = parsePackage(new Map(archive.files.map(({ path, bytes }) => [path, bytes])));
  const handlers = summaries(pkg, archive);
  refuseDifferences(release, found(pkg, archive, handlers));
  return { bytes: archive.tar.byteLength, description: pkg.manifest.description, handlers };
}

/** An archive takes several times its size while it is checked. */
const MAX_CHECKS_AT_ONCE = 2;
const archives = turns(MAX_CHECKS_AT_ONCE);

function refuseOtherAddress(release: ReleaseStatement, address: { name: string; version: string }): void {
  for (const field of ["name", "version"] as const) {
    if (release[field] !== address[field]) {
      throw refuseRequest("E_REGISTRY_ADDRESS", { field, expected: address[field], found: release[field] });
    }
  }
}

/** Not "the newest": two releases made side by side may both follow the same one. */
async function refuseOtherPrevious({ store }: Parts, { name, previous }: ReleaseStatement): Promise<void> {
  if (previous === null) return;
  const there = await store.version(name, previous.version);
  if (there?.statement !== previous.statement) {
    throw refuseRequest("E_REGISTRY_PREVIOUS", { version: previous.version, found: there?.statement ?? null });
  }
}

/** What the archive itself shows, in the statement's words. */
function found(pkg: PackageSpec, archive: ValidArchive, handlers: readonly HandlerSummary[]) {
  return {
    name: pkg.manifest.name,
    version: pkg.manifest.version,
    tarSha256: archive.sha256,
    tarSha512: archive.sha512,
    treeSha256: archive.tree,
    handlers: byId(handlers.map(({ id, identity }) => ({ id, identity }))),
    requires: pkg.manifest.requires,
  };
}

function refuseDifferences(release: ReleaseStatement, shown: ReturnType<typeof found>): void {
  const stated = { ...release, handlers: byId(release.handlers) };
  for (const field of Object.keys(shown) as (keyof typeof shown)[]) {
    if (!isDeepStrictEqual(plain(stated[field]), plain(shown[field]))) {
      throw refuseRequest("E_REGISTRY_STATEMENT", {
        field,
        expected: plain(shown[field]),
        found: plain(stated[field]),
      });
    }
  }
}

function summaries(pkg: PackageSpec, archive: ValidArchive): HandlerSummary[] {
  const identities = new Map(identitiesOf(pkg, archive.files).map(({ id, identity }) => [id, identity]));
  return pkg.handlers.map(({ id, event, may }) => ({
    id,
    identity: identities.get(id) ?? "",
    event,
    may: [...may],
    capabilities: pkg.manifest.capabilities,
  }));
}

function byId<T extends { id: string }>(handlers: readonly T[]): T[] {
  return handlers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** As JSON sees it: an absent field and one that is `undefined` are the same. */
function plain(value: unknown): Fact {
  return JSON.parse(JSON.stringify(value)) as Fact; // JSON holds nothing but facts
}
