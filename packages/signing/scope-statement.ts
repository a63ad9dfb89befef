import { canonicalBytes, hexOf, type Scope, scopeSchema, sha256, sha256Schema } from "@hookpkg/spec";
import { z } from "zod";
import { type Envelope, PAYLOAD_TYPES, sign } from "./envelope.ts";
import type { PrivateKey } from "./private-key.ts";
import { type PublicKey, publicKeySchema } from "./public-key.ts";
import type { Delegation, ScopeRoot, ScopeState, ScopeStatement } from "./scope-state.ts";
import { readStatement, type StatementKind, scopeSubject, statementBytes } from "./statement.ts";

const MAX_ROOT_KEYS = 16;
const MAX_RELEASE_KEYS = 64;
const MAX_GLOBS = 64;
const GLOB = /^@[a-z0-9][a-z0-9-]{0,63}\/(?:\*|[a-z0-9][a-z0-9-]{0,63}\*?)$/;
/** Seconds and Z only: one spelling per instant. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const distinct = (keys: readonly PublicKey[]) => new Set(keys).size === keys.length;

const rootSchema = z
  .strictObject({ keys: z.array(publicKeySchema).min(1).max(MAX_ROOT_KEYS), threshold: z.int().min(1) })
  .refine(({ keys }) => distinct(keys), "a key stands twice")
  .refine(({ keys, threshold }) => threshold <= keys.length, "a threshold that the keys can reach");

const delegationSchema = z.strictObject({
  key: publicKeySchema,
  packages: z.array(z.string().regex(GLOB, "@s/n, @s/prefix-* or @s/*")).min(1).max(MAX_GLOBS),
  roles: z
    .array(z.enum(["publish", "vet"]))
    .min(1)
    .max(2),
  expires: z.string().refine((text) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)), "an instant in UTC"),
});

const kind: StatementKind<ScopeStatement> = {
  predicateType: "urn:hookpkg:scope:v1",
  predicate: z
    .strictObject({
      scope: scopeSchema,
      seq: z.int().min(0),
      prev: sha256Schema.nullable(),
      root: rootSchema,
      release: z
        .array(delegationSchema)
        .max(MAX_RELEASE_KEYS)
        .refine((release) => distinct(release.map(({ key }) => key)), "a key stands twice"),
    })
    .refine(
      ({ scope, release }) => release.every(({ packages }) => packages.every((glob) => glob.startsWith(`${scope}/`))),
      "packages of the scope itself",
    ),
  subjectOf: (statement) => ({
    name: scopeSubject(statement.scope, statement.seq),
    digest: { sha256: hexOf(sha256(canonicalBytes(statement))) },
  }),
};

/** Canonical bytes of the in-toto statement: what is signed. */
export function scopeStatement(statement: ScopeStatement): Uint8Array<ArrayBuffer> {
  return statementBytes(kind, statement);
}

export function readScopeStatement(payload: unknown): ScopeStatement {
  return readStatement(kind, payload);
}

/** Statement 0 of a scope: one root key, which signs for itself. `release`: the keys it lets act, without their private halves. */
export function claimScope(scope: Scope, rootKey: PrivateKey, release: readonly Delegation[]): Promise<Envelope> {
  const root = { keys: [rootKey.public], threshold: 1 };
  return sign(PAYLOAD_TYPES.scope, scopeStatement({ scope, seq: 0, prev: null, root, release }), [rootKey]);
}

/** The statement after `state`. `keys`: old root keys up to their threshold, and new ones up to theirs where the root changes. */
export function continueScope(
  state: ScopeState,
  change: { root?: ScopeRoot; release?: readonly Delegation[] },
  keys: readonly PrivateKey[],
): Promise<Envelope> {
  const { scope, seq, head, root, release } = state;
  const next = { scope, seq: seq + 1, prev: head, root, release: release, ...change };
  return sign(PAYLOAD_TYPES.scope, scopeStatement(next), keys);
}
