import { canonicalBytes } from "@hookpkg/spec";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { preAuthentication } from "./envelope.ts";
import { refuse } from "./faults.ts";
import { type PrivateKey, signBytes } from "./private-key.ts";
import { isPublicKey, type KeyId, keyIdOf, SIGNATURE_BYTES, verifySignature } from "./public-key.ts";

/** A key that may sign this person's approvals, as `<config>/keys/approvers.json` lists it. */
export type Approver = { id: string; public: string };

const TYPE = "application/vnd.hookpkg.approvals+json";

/** The document with the signer's key id and the signature over everything but the signature. */
export async function signApprovals<D extends object>(
  document: D,
  key: PrivateKey,
): Promise<D & { key: KeyId; sig: string }> {
  const named = { ...document, key: key.id };
  return { ...named, sig: encodeBase64(await signBytes(key, signed(named))) };
}

/** E_APPROVALS_KEY when the key is none of the person's, E_APPROVALS_SIGNATURE when it did not sign these approvals. */
export async function verifyApprovals<D extends { key: string; sig: string }>(
  document: D,
  approvers: readonly Approver[],
): Promise<void> {
  const key = approvers.find(({ id }) => id === document.key)?.public ?? "";
  if (!isPublicKey(key) || keyIdOf(key) !== document.key)
    throw refuse("E_APPROVALS_KEY", { key: document.key.slice(0, 100) });
  const signature = document.sig.length <= 2 * SIGNATURE_BYTES ? decodeBase64(document.sig) : null;
  if (signature === null || !(await verifySignature(key, signed(document), signature)))
    throw refuse("E_APPROVALS_SIGNATURE", { key: document.key });
}

function signed(document: object): Uint8Array<ArrayBuffer> {
  return preAuthentication(TYPE, canonicalBytes({ ...document, sig: undefined }));
}
