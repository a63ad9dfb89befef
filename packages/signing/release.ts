import {
  hexOf,
  type Identity,
  type Integrity,
  identitySchema,
  integritySchema,
  isHandlerId,
  type PackageName,
  packageNameSchema,
  rangeSchema,
  type Sha256,
  scopeOf,
  sha256,
  sha256Schema,
  type Version,
  versionSchema,
} from "@hookpkg/spec";
import { z } from "zod";
import { type Envelope, openEnvelope, PAYLOAD_TYPES, sign } from "./envelope.ts";
import { refuse } from "./faults.ts";
import type { PrivateKey } from "./private-key.ts";
import { type KeyId, keyIdOf } from "./public-key.ts";
import { releaseKeysFor, type ScopeState } from "./scope-state.ts";
import { readStatement, type StatementKind, statementBytes } from "./statement.ts";

/** What a publisher says of one version. `previous`: the version before it and its statement, `null` for the first. */
export type ReleaseStatement = {
  name: PackageName;
  version: Version;
  tarSha256: Sha256;
  tarSha512: Integrity;
  treeSha256: Sha256;
  handlers: readonly { id: string; identity: Identity }[];
  previous: { version: Version; statement: Sha256 } | null;
  requires: { hookpkg?: string | undefined; programs: readonly string[]; events: readonly string[] };
  /** The scope statement under which it was signed. */
  scopeSeq: number;
};

declare const verified: unique symbol;
/** A release whose signature, key, scope and shape were checked. Only `openRelease` makes one. */
export type VerifiedRelease = {
  readonly [verified]: true;
  release: ReleaseStatement;
  statement: Sha256;
  /** Keys that may sign this package and did. */
  signers: readonly KeyId[];
};

const MAX_HANDLERS = 256;
const names = z.array(z.string().max(64)).max(64);

const kind: StatementKind<ReleaseStatement> = {
  predicateType: "urn:hookpkg:release:v1",
  predicate: z.strictObject({
    name: packageNameSchema,
    version: versionSchema,
    tarSha256: sha256Schema,
    tarSha512: integritySchema,
    treeSha256: sha256Schema,
    handlers: z
      .array(z.strictObject({ id: z.string().refine(isHandlerId), identity: identitySchema }))
      .max(MAX_HANDLERS)
      .refine((handlers) => new Set(handlers.map(({ id }) => id)).size === handlers.length, "an id stands twice"),
    previous: z.strictObject({ version: versionSchema, statement: sha256Schema }).nullable(),
    requires: z.strictObject({ hookpkg: rangeSchema.optional(), programs: names, events: names }),
    scopeSeq: z.int().min(0),
  }),
  subjectOf: ({ name, version, tarSha256, tarSha512 }) => ({
    name: releaseSubject(name, version),
    digest: {
      sha256: hexOf(tarSha256),
      sha512: Buffer.from(tarSha512.slice("sha512-".length), "base64").toString("hex"),
    },
  }),
};

/** `@s/n@v`: subject of a release's statement and of its log entry. */
export function releaseSubject(name: PackageName, version: Version): string {
  return `${name}@${version}`;
}

/** Canonical bytes of the in-toto statement: what is signed. */
export function releaseStatement(release: ReleaseStatement): Uint8Array<ArrayBuffer> {
  return statementBytes(kind, release);
}

export function signRelease(release: ReleaseStatement, keys: readonly PrivateKey[]): Promise<Envelope> {
  return sign(PAYLOAD_TYPES.release, releaseStatement(release), keys);
}

/**
 * Release of an envelope signed by a key that `scope` lets publish it. `at` is the clock of the one who accepts it for the
 * first time (the registry); for a logged release the log's order decides and expiry is not asked: pass the state of the
 * scope as of the release's log index and no time.
 */
export async function openRelease(envelope: unknown, scope: ScopeState, at?: Date): Promise<VerifiedRelease> {
  const opened = await openEnvelope(envelope, PAYLOAD_TYPES.release, publishers(scope));
  const release = readStatement(kind, opened.payload);
  if (scopeOf(release.name) !== scope.scope)
    throw refuse("E_SCOPE_FOREIGN", { expected: scope.scope, found: release.name });
  if (release.scopeSeq > scope.seq)
    throw refuse("E_RELEASE_SCOPE_SEQ", { found: release.scopeSeq, expected: scope.seq });
  const entitled = new Set(releaseKeysFor(scope, release.name, "publish", at));
  const signers = opened.signers.filter((key) => entitled.has(key)).map(keyIdOf);
  if (signers.length === 0) throw refuse("E_RELEASE_KEY", { name: release.name, signers: opened.signers.map(keyIdOf) });
  return { release, statement: sha256(opened.bytes), signers } as unknown as VerifiedRelease; // the brand has no value
}

function publishers(scope: ScopeState) {
  return scope.release.filter(({ roles }) => roles.includes("publish")).map(({ key }) => key);
}
