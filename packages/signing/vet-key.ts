import { refuse } from "./faults.ts";
import { type PublicKey, publicKeyOf } from "./public-key.ts";

/**
 * Refuses a public key that a careful verifier would not take: not 32 bytes, not a point, a second encoding of a point, of
 * small order (such a key "verifies" signatures nobody made), outside the prime-order subgroup. Asked once, when a key is
 * registered: the fast verifier doesn't look. The list and the arithmetic are both asked, so that neither is trusted alone.
 */
export async function vetPublicKey(raw: Uint8Array): Promise<PublicKey> {
  const key = publicKeyOf(raw);
  if (SMALL_ORDER.has(Buffer.from(raw).toString("hex"))) throw refuse("E_KEY_SMALL_ORDER", { key });
  const { Point } = await import("@noble/ed25519"); // lazy: only registration pays for it
  let point: InstanceType<typeof Point>;
  try {
    point = Point.fromBytes(raw, false); // false: RFC 8032, canonical encodings only
  } catch (cause) {
    throw refuse("E_KEY_POINT", { key }, cause);
  }
  if (point.isSmallOrder()) throw refuse("E_KEY_SMALL_ORDER", { key });
  if (!point.isTorsionFree()) throw refuse("E_KEY_TORSION", { key });
  return key;
}

/** The eight points of small order and the non-canonical encodings of them that exist in 32 bytes. */
const SMALL_ORDER = new Set([
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]);
