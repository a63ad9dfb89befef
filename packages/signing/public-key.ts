import { hexOf, sha256 } from "@hookpkg/spec";
import { z } from "zod";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { refuse } from "./faults.ts";

/** `ed25519:` and the base64 of the 32 raw bytes. The algorithm stands here, in the key's record, and nowhere else. */
export type PublicKey = `ed25519:${string}`;
/** The first 16 hex digits of the SHA-256 of the 32 raw bytes. A short name to look keys up by; never proof of anything. */
export type KeyId = string;

const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

const PREFIX = "ed25519:";
const PUBLIC_KEY = /^ed25519:[A-Za-z0-9+/]{43}=$/;

export const publicKeySchema = z.custom<PublicKey>(
  (value) => typeof value === "string" && isPublicKey(value),
  "not ed25519: and the base64 of 32 bytes",
);
export const keyIdSchema = z.string().regex(/^[0-9a-f]{16}$/, "not a key id: 16 hex digits");

export function isPublicKey(text: string): text is PublicKey {
  return PUBLIC_KEY.test(text) && decodeBase64(text.slice(PREFIX.length)) !== null;
}

/** 32 raw bytes as text, E_KEY_LENGTH otherwise. */
export function publicKeyOf(raw: Uint8Array): PublicKey {
  if (raw.length !== PUBLIC_KEY_BYTES) throw refuse("E_KEY_LENGTH", { found: raw.length, expected: PUBLIC_KEY_BYTES });
  return `${PREFIX}${encodeBase64(raw)}`;
}

export function rawPublicKey(key: PublicKey): Uint8Array<ArrayBuffer> {
  const raw = isPublicKey(key) ? decodeBase64(key.slice(PREFIX.length)) : null;
  if (raw === null) throw refuse("E_KEY_ENCODING", { found: `${key}`.slice(0, 100) });
  return raw;
}

export function keyIdOf(key: PublicKey): KeyId {
  return hexOf(sha256(rawPublicKey(key))).slice(0, 16);
}

/** Pure Ed25519 (RFC 8032, S < L) over the message itself. False for any failure, also for a key that doesn't decode. */
export async function verifySignature(
  key: PublicKey,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const imported = await crypto.subtle.importKey("raw", rawPublicKey(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, signature, message);
  } catch {
    return false;
  }
}
