import { refuse } from "./faults.ts";
import { type KeyId, keyIdOf, type PublicKey, publicKeyOf } from "./public-key.ts";

/** An opened Ed25519 key: its PKCS #8 bytes stay in memory; on disk it is sealed (key-file.ts). */
export type PrivateKey = { id: KeyId; public: PublicKey; pkcs8: Uint8Array<ArrayBuffer> };

/** What stands before the 32-byte seed. The importer is lenient about it; one key has one spelling here. */
const PKCS8_HEAD = "302e020100300506032b657004220420";
const PKCS8_BYTES = 48;

export async function generateKey(): Promise<PrivateKey> {
  const made = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const privateKey = "privateKey" in made ? made.privateKey : made;
  return privateKeyOf(new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey)));
}

/** Key of PKCS #8 bytes; its public half is computed, never read from beside it. E_KEY_FILE when they hold no Ed25519 key. */
export async function privateKeyOf(pkcs8: Uint8Array<ArrayBuffer>): Promise<PrivateKey> {
  if (pkcs8.length !== PKCS8_BYTES || !Buffer.from(pkcs8).toString("hex").startsWith(PKCS8_HEAD))
    throw refuse("E_KEY_FILE", { found: "no Ed25519 key in PKCS #8" });
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", key);
  const publicKey = publicKeyOf(new Uint8Array(Buffer.from(x ?? "", "base64url")));
  return { id: keyIdOf(publicKey), public: publicKey, pkcs8 };
}

export async function signBytes(key: PrivateKey, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("pkcs8", key.pkcs8, "Ed25519", false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("Ed25519", imported, message));
}
