import { parse } from "ssri";
import { z } from "zod";
import { refuse } from "./faults.ts";

/** `sha256:` and 64 lower-case hex digits. */
export type Sha256 = `sha256:${string}`;
/** One sha512 in Subresource Integrity form. */
export type Integrity = `sha512-${string}`;
/** `hk1:` and the base64url SHA-256 of a handler's normal form. */
export type Identity = `hk1:${string}`;

const SHA256 = /^sha256:[0-9a-f]{64}$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
const IDENTITY = /^hk1:[A-Za-z0-9_-]{43}$/;

export function sha256(bytes: Uint8Array | string): Sha256 {
  return `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
}

export function sha512Integrity(bytes: Uint8Array): Integrity {
  return `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
}

export function isSha256(text: string): text is Sha256 {
  return SHA256.test(text);
}

export function isIdentity(text: string): text is Identity {
  return IDENTITY.test(text);
}

/** The 64 hex digits: a folder's or blob's name. */
export function hexOf(digest: Sha256): string {
  if (!isSha256(digest)) throw refuse("E_DIGEST", { found: `${digest}`.slice(0, 100) });
  return digest.slice("sha256:".length);
}

/** ssri accepts lists, options, other algorithms and other spellings of one hash; a lock may hold exactly one canonical sha512. */
export function parseIntegrity(text: string): Integrity {
  const parsed = INTEGRITY.test(text) ? parse(text, { single: true, strict: true }) : null;
  const canonical = parsed && `sha512-${Buffer.from(parsed.hexDigest(), "hex").toString("base64")}`;
  if (canonical !== text) throw refuse("E_INTEGRITY", { found: text.slice(0, 200) });
  return text as Integrity; // the pattern above is the type
}

export function isIntegrity(text: string): text is Integrity {
  try {
    return parseIntegrity(text) === text;
  } catch {
    return false;
  }
}

export const sha256Schema = z.custom<Sha256>(
  (value) => typeof value === "string" && isSha256(value),
  "not a sha256 digest",
);
export const integritySchema = z.custom<Integrity>(
  (value) => typeof value === "string" && isIntegrity(value),
  "not one sha512 integrity",
);
export const identitySchema = z.custom<Identity>(
  (value) => typeof value === "string" && isIdentity(value),
  "not an identity",
);
