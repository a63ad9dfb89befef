import { decodeBase64, encodeBase64 } from "./base64.ts";
import { refuse } from "./faults.ts";
import { type PrivateKey, signBytes } from "./private-key.ts";
import { type PublicKey, SIGNATURE_BYTES, verifySignature } from "./public-key.ts";

/** A challenge names what the key is registered for and holds what the asker made up: `@scope` and a nonce, one a line. */
const MAX_CHALLENGE_BYTES = 1024;

/** Base64 signature over the challenge, in a domain of its own: it can stand for nothing else. */
export async function provePossession(key: PrivateKey, challenge: string): Promise<string> {
  return encodeBase64(await signBytes(key, message(challenge)));
}

/** E_KEY_POSSESSION unless the holder of the private key signed exactly this challenge. */
export async function checkPossession(key: PublicKey, challenge: string, proof: string): Promise<void> {
  const signature = proof.length <= 2 * SIGNATURE_BYTES ? decodeBase64(proof) : null;
  if (signature === null || !(await verifySignature(key, message(challenge), signature)))
    throw refuse("E_KEY_POSSESSION", { key });
}

function message(challenge: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(`hookpkg-pop-v1\n${challenge}`);
  if (bytes.length > MAX_CHALLENGE_BYTES) throw refuse("E_KEY_POSSESSION", { maxBytes: MAX_CHALLENGE_BYTES });
  return bytes;
}
