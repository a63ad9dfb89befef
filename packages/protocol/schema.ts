import type { Receipt as LogReceipt } from "@hookpkg/log";
import type { Envelope as SignedEnvelope } from "@hookpkg/signing";
import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { MAX_RESOLVED_PACKAGES } from "./limits.ts";

/** What is sent to a registry: an unknown field is refused. */
const strict = <T extends TProperties>(fields: T): TObject<T> => Type.Object(fields, { additionalProperties: false });

const Size = Type.Integer({ minimum: 0, maximum: 2 ** 40 });
const Base64Hash = Type.String({ minLength: 44, maxLength: 44 });
const Sha256 = Type.String({ pattern: "^sha256:[0-9a-f]{64}$" });
const Note = Type.String({ maxLength: 64 * 1024 });

/** DSSE, in outline: its exact form is the business of whoever verifies it. `payload` is base64 of at most 256 KiB. */
export const Envelope = Type.Unsafe<SignedEnvelope>(
  strict({
    payloadType: Type.String({ maxLength: 200 }),
    payload: Type.String({ maxLength: 360_000 }),
    signatures: Type.Array(strict({ keyid: Type.String({ maxLength: 200 }), sig: Type.String({ maxLength: 200 }) }), {
      maxItems: 16,
    }),
  }),
);
export type Envelope = Static<typeof Envelope>;

const Receipt = Type.Unsafe<LogReceipt>(
  Type.Object({
    index: Size,
    size: Size,
    root: Base64Hash,
    proof: Type.Array(Base64Hash, { maxItems: 63 }),
    checkpoint: Note,
  }),
);

/** A statement as it was published, and the proof that it is in the log. */
export const Logged = Type.Object({ envelope: Envelope, receipt: Receipt });
export type Logged = Static<typeof Logged>;

/** `GET /v1/root`: canonical bytes, whose SHA-256 a person may be told beforehand. `logKey` = base64 of 32 bytes. */
export const Root = Type.Object({ v: Type.Literal(1), origin: Type.String({ maxLength: 255 }), logKey: Base64Hash });
export type Root = Static<typeof Root>;

export const ScopeAnswer = Type.Object({ scope: Type.String(), chain: Type.Array(Logged) });
export type ScopeAnswer = Static<typeof ScopeAnswer>;

export const Published = Type.Object({ receipt: Receipt });
export type Published = Static<typeof Published>;

export const BlobStored = Type.Object({ sha256: Sha256, bytes: Type.Integer({ minimum: 0 }) });
export type BlobStored = Static<typeof BlobStored>;

/** Capabilities as the manifest declares them: shown, and compared by people; the client takes its own from the archive. */
export const HandlerSummary = Type.Object({
  id: Type.String(),
  identity: Type.String(),
  event: Type.String(),
  may: Type.Array(Type.String()),
  capabilities: Type.Unknown(),
});
export type HandlerSummary = Static<typeof HandlerSummary>;

export const VersionSummary = Type.Object({
  version: Type.String(),
  statement: Sha256,
  tarSha256: Sha256,
  bytes: Type.Integer({ minimum: 0 }),
  index: Size,
  description: Type.String(),
  handlers: Type.Array(HandlerSummary),
});
export type VersionSummary = Static<typeof VersionSummary>;

/** Versions by precedence, the newest first. `latest` = the newest that is no pre-release, or just the newest. */
export const PackageMetadata = Type.Object({
  name: Type.String(),
  latest: Type.String(),
  versions: Type.Array(VersionSummary, { minItems: 1 }),
});
export type PackageMetadata = Static<typeof PackageMetadata>;

export const VersionAnswer = Type.Object({ name: Type.String(), version: Type.String(), ...Logged.properties });
export type VersionAnswer = Static<typeof VersionAnswer>;

/** `packages`: name → version range. `since`: the size of the last checkpoint the client has, 0 for none. */
export const ResolveRequest = strict({
  packages: Type.Record(Type.String({ maxLength: 131 }), Type.String({ maxLength: 200 }), {
    minProperties: 1,
    maxProperties: MAX_RESOLVED_PACKAGES,
  }),
  since: Type.Optional(Size),
});
export type ResolveRequest = Static<typeof ResolveRequest>;

/** Every receipt is against `checkpoint`; `consistency` leads to it from the size `since` (empty for 0). */
export const ResolveAnswer = Type.Object({
  checkpoint: Note,
  consistency: Type.Array(Base64Hash, { maxItems: 63 }),
  packages: Type.Array(VersionAnswer),
  scopes: Type.Array(ScopeAnswer),
});
export type ResolveAnswer = Static<typeof ResolveAnswer>;

/** Proof that the log at size `to` continues the log at size `from`. */
export const ConsistencyAnswer = Type.Object({ from: Size, to: Size, proof: Type.Array(Base64Hash, { maxItems: 63 }) });
export type ConsistencyAnswer = Static<typeof ConsistencyAnswer>;

export const Health = Type.Object({ ok: Type.Literal(true), size: Size });

/** RFC 9457. `code` is a fault's code, `facts` its facts. */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  code: Type.String({ pattern: "^E_[A-Z0-9_]{1,60}$" }),
  facts: Type.Record(Type.String(), Type.Unknown()),
});
export type Problem = Static<typeof Problem>;
