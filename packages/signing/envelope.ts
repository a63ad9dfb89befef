import { MAX_SIGNED_BYTES, parseCanonical, type Sha256, sha256 } from "@hookpkg/spec";
import { z } from "zod";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { refuse } from "./faults.ts";
import { type PrivateKey, signBytes } from "./private-key.ts";
import { type KeyId, keyIdOf, keyIdSchema, type PublicKey, verifySignature } from "./public-key.ts";

const MAX_SIGNATURES = 16;
const MAX_PAYLOAD_BASE64 = 4 * Math.ceil(MAX_SIGNED_BYTES / 3);
/** A whole envelope as JSON: what a door may read before it parses. */
export const MAX_ENVELOPE_BYTES = MAX_PAYLOAD_BASE64 + 256 * (MAX_SIGNATURES + 1);

/** What an envelope may hold; the verifier says which one it expects and the signature covers it. */
export const PAYLOAD_TYPES = {
  release: "application/vnd.in-toto.hookpkg-release+json",
  scope: "application/vnd.in-toto.hookpkg-scope+json",
  vet: "application/vnd.in-toto.hookpkg-vet+json",
  revocation: "application/vnd.in-toto.hookpkg-revocation+json",
} as const;

export type PayloadType = (typeof PAYLOAD_TYPES)[keyof typeof PAYLOAD_TYPES];

/** DSSE, JSON form. `sig`: base64 of 64 bytes over the pre-authentication encoding of type and payload. */
export type Envelope = { payloadType: string; payload: string; signatures: { keyid: KeyId; sig: string }[] };

/** A verified document: `signers` are distinct and all of them were allowed. */
export type Opened = { payload: unknown; bytes: Uint8Array; signers: readonly PublicKey[] };

/** Shape only; nothing is verified. */
export const envelopeSchema = z.strictObject({
  payloadType: z.string().max(200),
  payload: z.string(),
  signatures: z.array(z.strictObject({ keyid: keyIdSchema, sig: z.string().length(88) })).max(MAX_SIGNATURES),
});

/** Signs bytes that are canonical JSON already; whoever opens the envelope holds them to it. */
export async function sign(type: PayloadType, bytes: Uint8Array, keys: readonly PrivateKey[]): Promise<Envelope> {
  if (keys.length === 0) throw refuse("E_ENVELOPE_UNSIGNED");
  const message = preAuthentication(type, bytes);
  const signatures = await Promise.all(
    keys.map(async (key) => ({ keyid: key.id, sig: encodeBase64(await signBytes(key, message)) })),
  );
  return { payloadType: type, payload: encodeBase64(bytes), signatures };
}

/**
 * Verifies, then reads. Every signature must verify with a key of `allowed`: no missing, unknown or second one is passed
 * over. What the algorithm is stands in the key; the envelope has no say in it. How many signers are enough is the caller's.
 */
export async function openEnvelope(
  envelope: unknown,
  type: PayloadType,
  allowed: readonly PublicKey[],
): Promise<Opened> {
  const { bytes, signatures } = payloadOf(envelope, type);
  if (signatures.length === 0) throw refuse("E_ENVELOPE_UNSIGNED");
  const message = preAuthentication(type, bytes);
  const signers = new Set<PublicKey>();
  for (const { keyid, sig } of signatures) {
    const key = allowed.find((candidate) => keyIdOf(candidate) === keyid);
    if (key === undefined) throw refuse("E_ENVELOPE_SIGNER", { keyid });
    if (signers.has(key)) throw refuse("E_ENVELOPE_SIGNER_TWICE", { keyid });
    if (!(await verifySignature(key, message, canonicalBase64(sig)))) throw refuse("E_ENVELOPE_SIGNATURE", { keyid });
    signers.add(key);
  }
  return { payload: parseCanonical(bytes), bytes, signers: [...signers] };
}

/** Payload of an envelope of this type whose signatures are not looked at yet. Size is checked before anything is decoded. */
export function payloadOf(
  envelope: unknown,
  type: PayloadType,
): { bytes: Uint8Array<ArrayBuffer>; signatures: Envelope["signatures"] } {
  const { payloadType, payload, signatures } = parseEnvelope(envelope);
  if (payloadType !== type) throw refuse("E_ENVELOPE_TYPE", { expected: type, found: payloadType });
  return { bytes: canonicalBase64(payload), signatures };
}

/** Names a statement: `sha256:` of the payload bytes. The same however often and by whom it was signed. */
export function statementDigest(envelope: unknown): Sha256 {
  return sha256(canonicalBase64(parseEnvelope(envelope).payload));
}

/** DSSE's PAE: lengths before contents, so that no type and payload read like another pair. */
export function preAuthentication(type: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${bytes.length} `);
  const message = new Uint8Array(head.length + bytes.length);
  message.set(head);
  message.set(bytes, head.length);
  return message;
}

function parseEnvelope(envelope: unknown): Envelope {
  const parsed = envelopeSchema.safeParse(envelope);
  if (!parsed.success) throw refuse("E_ENVELOPE", { where: placeOf(parsed.error) }, parsed.error);
  if (parsed.data.payload.length > MAX_PAYLOAD_BASE64)
    throw refuse("E_ENVELOPE_TOO_LARGE", { maxBytes: MAX_SIGNED_BYTES });
  return parsed.data;
}

function canonicalBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text);
  if (bytes === null) throw refuse("E_ENVELOPE_BASE64");
  return bytes;
}

/** Field of zod's first issue. */
export function placeOf(error: z.ZodError): string {
  return error.issues[0]?.path.join(".") || "the whole document";
}
