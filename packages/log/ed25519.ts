import type { KeyObject } from "node:crypto";

export const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Ed25519 (RFC 8032) over the message itself. False for any failure, also for a key that doesn't decode. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const { createPublicKey, verify } = crypto();
  try {
    const x = Buffer.from(publicKey).toString("base64url");
    return verify(null, message, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
  } catch {
    return false;
  }
}

export function signEd25519(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return new Uint8Array(crypto().sign(null, message, privateKey));
}

/** The 32 public bytes of an Ed25519 key, `null` for another kind of key. */
export function publicBytes(key: KeyObject): Uint8Array | null {
  if (key.asymmetricKeyType !== "ed25519") return null;
  return new Uint8Array(Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url"));
}

// Loaded at first use: importing it costs every start of the command more than the rest of this package.
function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}
