import { canonicalBytes, type Scope, type Sha256 } from "@hookpkg/spec";
import { z } from "zod";
import { placeOf } from "./envelope.ts";
import { refuse } from "./faults.ts";

const TYPE = "https://in-toto.io/Statement/v1";

/** in-toto Statement v1 about one subject. Digests in hex, as in-toto writes them. */
export type Statement<P> = {
  _type: typeof TYPE;
  subject: readonly [{ name: string; digest: SubjectDigest }];
  predicateType: string;
  predicate: P;
};

/** What a predicate says its statement is about. */
export type Subject = { name: string; digest: SubjectDigest };

type SubjectDigest = { sha256: string; sha512?: string | undefined };

/** One kind of statement: its predicate and the subject that follows from it. */
export type StatementKind<P> = { predicateType: string; predicate: z.ZodType<P>; subjectOf: (predicate: P) => Subject };

const digestSchema = z.strictObject({ sha256: z.string(), sha512: z.string().optional() });

/** Canonical bytes of a statement, held to the same schema as when it is read. E_STATEMENT. */
export function statementBytes<P>(kind: StatementKind<P>, predicate: P): Uint8Array<ArrayBuffer> {
  const { predicateType, subjectOf } = kind;
  const statement: Statement<P> = { _type: TYPE, subject: [subjectOf(predicate)], predicateType, predicate };
  readStatement(kind, statement);
  return canonicalBytes(statement);
}

/** Predicate of a verified payload. The subject must be exactly the one that follows from it: E_STATEMENT_SUBJECT. */
export function readStatement<P>(kind: StatementKind<P>, payload: unknown): P {
  const schema = z.strictObject({
    _type: z.literal(TYPE),
    subject: z.tuple([z.strictObject({ name: z.string(), digest: digestSchema })]),
    predicateType: z.literal(kind.predicateType),
    predicate: kind.predicate,
  });
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw refuse("E_STATEMENT", { where: placeOf(parsed.error) }, parsed.error);
  const { subject, predicate } = parsed.data;
  const expected = kind.subjectOf(predicate);
  if (!Buffer.from(canonicalBytes(subject)).equals(canonicalBytes([expected])))
    throw refuse("E_STATEMENT_SUBJECT", { expected: expected.name, found: subject[0].name.slice(0, 200) });
  return predicate;
}

export type LogKind = "release" | "scope" | "vet" | "revocation";

/** Log entry of a statement: canonical, so that everybody computes the same leaf. `subject`: `@s/n@v`, `@s#seq`, an identity. */
export function logLeaf(kind: LogKind, subject: string, statement: Sha256): Uint8Array<ArrayBuffer> {
  return canonicalBytes({ v: 1, kind, subject, statement });
}

/** Subject of a scope's statement in the log. */
export function scopeSubject(scope: Scope, seq: number): string {
  return `${scope}#${seq}`;
}
