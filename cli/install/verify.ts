import { pack, type ValidArchive, validateArchive } from "@hookpkg/archive";
import { type HandlerIdentity, identitiesOf } from "@hookpkg/identity";
import { type NoteKey, signatureLines, verifyReceipt } from "@hookpkg/log";
import type { Logged } from "@hookpkg/protocol";
import {
  logLeaf,
  openRelease,
  type ReleaseStatement,
  releaseSubject,
  type ScopeState,
  scopeSubject,
  type VerifiedRelease,
  verifyScopeStates,
} from "@hookpkg/signing";
import {
  inRange,
  type LockEntry,
  type LogSeen,
  type PackageSpec,
  parsePackage,
  type Scope,
  type Scopes,
  type Sha256,
  scopeOf,
} from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Fetched } from "./fetch.ts";

declare const verified: unique symbol;

/** Station 9: bytes whose signature, log entry, digests, tree and identities all agree. Only `verify` makes one. */
export type Verified = {
  readonly [verified]: true;
  /** `@s/n` or `file:./dir`: its key in the lock. */
  key: string;
  archive: ValidArchive;
  spec: PackageSpec;
  identities: readonly HandlerIdentity[];
  registry: string;
  /** Absent for a local package, which nobody signed. */
  release?: { statement: Sha256; log: LogSeen; scope: ScopeSeen; signers: readonly string[] };
};

/** How far a scope's chain is known: it may only grow from here. */
export type ScopeSeen = { scope: Scope; registry: string; seq: number; head: Sha256 };

/** What is already known and must not be contradicted: the person's scopes and the project's lock. */
export type Known = { scopes: Scopes["scopes"]; locked: Readonly<Record<string, LockEntry>> };

/** The policy of installing, read top to bottom. Every check is the registry's own, done again here. */
export async function verify(fetched: Fetched, known: Known): Promise<Verified> {
  if (fetched.from !== "registry") return verifyLocal(fetched);
  const scope = scopeOf(fetched.name);
  const { key } = fetched.registry;
  const states = await verifyChain(fetched.chain, scope, key);
  const seen = refuseScopeRollback(states, fetched.registry.url, scope, known);
  const { opened, log } = await verifyRelease(fetched, states, key);
  refuseOtherPackage(opened.release, fetched);
  const archive = validateArchive(fetched.tar);
  refuseOtherArchive(opened.release, archive);
  const { spec, identities } = refuseOtherHandlers(opened.release, archive);
  const entry = { key: fetched.name, archive, spec, identities, registry: fetched.registry.url };
  const release = { statement: opened.statement, log, scope: seen, signers: opened.signers };
  const result = { ...entry, release } as unknown as Verified; // the brand has no value; all its checks stand above
  refuseChangedRelease(result, known);
  return result;
}

/** The scope as of each statement, each of which must be in the log, in order. */
async function verifyChain(
  chain: readonly Logged[],
  scope: Scope,
  key: NoteKey,
): Promise<{ state: ScopeState; index: number }[]> {
  const states = await verifyScopeStates(
    chain.map(({ envelope }) => envelope),
    scope,
  );
  if (states.length === 0) throw refuse("E_VERIFY_SCOPE_MISSING", { scope });
  let last = -1;
  return states.map((state, seq) => {
    const logged = chain[seq];
    if (!logged) throw refuse("E_VERIFY_SCOPE_MISSING", { scope, seq });
    verifyReceipt(logged.receipt, logLeaf("scope", scopeSubject(scope, seq), state.head), key);
    if (logged.receipt.index <= last) throw refuse("E_VERIFY_SCOPE_ORDER", { scope, seq, index: logged.receipt.index });
    last = logged.receipt.index;
    return { state, index: last };
  });
}

/** A scope stays at its registry, and its chain only grows: an older or another chain is a stolen name. */
function refuseScopeRollback(
  states: readonly { state: ScopeState }[],
  registry: string,
  scope: Scope,
  known: Known,
): ScopeSeen {
  const bound = known.scopes[scope];
  const newest = states.at(-1)?.state;
  if (!newest) throw refuse("E_VERIFY_SCOPE_MISSING", { scope });
  if (bound && bound.registry !== registry)
    throw refuse("E_VERIFY_SCOPE_REGISTRY", { scope, expected: bound.registry, found: registry });
  if (bound && states[bound.seq]?.state.head !== bound.head)
    throw refuse("E_VERIFY_SCOPE_ROLLBACK", {
      scope,
      expected: `${bound.seq} ${bound.head}`,
      found: `${newest.seq} ${newest.head}`,
    });
  return { scope, registry, seq: newest.seq, head: newest.head };
}

type FromRegistry = Extract<Fetched, { from: "registry" }>;

/** Signed by a key that the scope let sign at this place of the log: order in the log stands for time. */
async function verifyRelease(
  fetched: FromRegistry,
  states: readonly { state: ScopeState; index: number }[],
  key: NoteKey,
) {
  const { envelope, receipt } = fetched.answer;
  const state = states.findLast(({ index }) => index < receipt.index)?.state;
  if (!state) throw refuse("E_VERIFY_SCOPE_ORDER", { name: fetched.name, index: receipt.index });
  const opened: VerifiedRelease = await openRelease(envelope, state);
  const { name, version } = opened.release;
  const checkpoint = verifyReceipt(receipt, logLeaf("release", releaseSubject(name, version), opened.statement), key);
  const sig = signatureLines(receipt.checkpoint, key.name)[0] ?? "";
  return { opened, log: { index: receipt.index, size: checkpoint.size, root: receipt.root, sig } satisfies LogSeen };
}

function refuseOtherPackage(release: ReleaseStatement, { name, range, answer }: FromRegistry): void {
  if (release.name !== name) throw refuse("E_VERIFY_NAME", { expected: name, found: release.name });
  if (release.version !== answer.version)
    throw refuse("E_VERIFY_VERSION", { name, expected: answer.version, found: release.version });
  if (!inRange(release.version, range))
    throw refuse("E_VERIFY_VERSION", { name, expected: range, found: release.version });
}

function refuseOtherArchive(release: ReleaseStatement, archive: ValidArchive): void {
  const { name } = release;
  if (archive.sha256 !== release.tarSha256)
    throw refuse("E_VERIFY_ARCHIVE", { name, field: "tarSha256", expected: release.tarSha256, found: archive.sha256 });
  if (archive.sha512 !== release.tarSha512)
    throw refuse("E_VERIFY_ARCHIVE", { name, field: "tarSha512", expected: release.tarSha512, found: archive.sha512 });
  if (archive.tree !== release.treeSha256)
    throw refuse("E_VERIFY_TREE", { name, expected: release.treeSha256, found: archive.tree });
}

/** The manifest and the identities that the archive really shows must be the ones that were signed. */
function refuseOtherHandlers(release: ReleaseStatement, archive: ValidArchive) {
  const { spec, identities } = declared(archive);
  if (spec.manifest.name !== release.name)
    throw refuse("E_VERIFY_NAME", { expected: release.name, found: spec.manifest.name });
  if (spec.manifest.version !== release.version)
    throw refuse("E_VERIFY_VERSION", { name: release.name, expected: release.version, found: spec.manifest.version });
  const signed = new Map(release.handlers.map(({ id, identity }) => [id, identity]));
  if (signed.size !== identities.length)
    throw refuse("E_VERIFY_IDENTITY", { name: release.name, expected: signed.size, found: identities.length });
  for (const { id, identity } of identities)
    if (signed.get(id) !== identity)
      throw refuse("E_VERIFY_IDENTITY", { name: release.name, id, expected: signed.get(id) ?? null, found: identity });
  return { spec, identities };
}

/** The same version with other bytes than the lock says: the registry or the lock was changed, and neither may be. */
function refuseChangedRelease(found: Verified, { locked }: Known): void {
  const entry = locked[found.key];
  if (entry === undefined || entry.version !== found.spec.manifest.version) return;
  const facts = { name: found.key, version: entry.version };
  const { archive, registry, release } = found;
  const fields: [field: string, expected: string | undefined, found: string | undefined][] = [
    ["integrity", entry.integrity, archive.sha512],
    ["tree", entry.tree, archive.tree],
    ["registry", entry.registry, registry],
    ["statement", entry.statement, release?.statement],
    ...found.identities.map(({ id, identity }): [string, string | undefined, string] => [
      `handlers.${id}`,
      entry.handlers[id],
      identity,
    ]),
  ];
  for (const [field, expected = null, now = null] of fields)
    if (expected !== now) throw refuse("E_VERIFY_REGISTRY_CHANGED", { ...facts, field, expected, found: now });
}

/** Nobody signed a local package: the same doors, and a name that can't pass for a scope's. */
function verifyLocal(fetched: Exclude<Fetched, { from: "registry" }>): Verified {
  const archive = fetched.from === "folder" ? pack(fetched.files) : validateArchive(fetched.tar);
  const { spec, identities } = declared(archive);
  return { key: fetched.key, archive, spec, identities, registry: fetched.key } as unknown as Verified; // branded, as above
}

function declared(archive: ValidArchive): { spec: PackageSpec; identities: readonly HandlerIdentity[] } {
  const spec = parsePackage(new Map(archive.files.map(({ path, bytes }) => [path, bytes])));
  return { spec, identities: identitiesOf(spec, archive.files) };
}
