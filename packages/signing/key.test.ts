import { describe, expect, test } from "bun:test";
import { isFault } from "@hookpkg/fault";
import { Point } from "@noble/ed25519";
import {
  checkPossession,
  generateKey,
  keyFileHead,
  keyIdOf,
  openKey,
  type PublicKey,
  privateKeyOf,
  provePossession,
  publicKeyOf,
  rawPublicKey,
  sealKey,
  verifySignature,
  vetPublicKey,
} from "./index.ts";

/** RFC 8032, section 7.1, test 1. */
const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const known = {
  pkcs8: new Uint8Array(Buffer.from(`302e020100300506032b657004220420${seed}`, "hex")),
  public: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
};

describe("keys", () => {
  test("the public half and the id follow from the private one", async () => {
    const key = await privateKeyOf(known.pkcs8);
    expect(Buffer.from(rawPublicKey(key.public)).toString("hex")).toBe(known.public);
    expect(key.public).toBe("ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
    expect(key.id).toBe("21fe31dfa154a261");
    expect(keyIdOf(key.public)).toBe(key.id);
  });

  test.each([
    "",
    "ed25519:",
    "none:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURp=",
  ])("%p is no public key", async (text) => {
    expect(await codeOf(() => rawPublicKey(text as PublicKey))).toBe("E_KEY_ENCODING");
    expect(await verifySignature(text as PublicKey, new Uint8Array(1), new Uint8Array(64))).toBe(false);
  });

  test("other PKCS #8 is refused", async () => {
    expect(await codeOf(() => privateKeyOf(new Uint8Array(48)))).toBe("E_KEY_FILE");
  });
});

describe("vetting", () => {
  test("a made key passes", async () => {
    const key = await generateKey();
    expect(await vetPublicKey(rawPublicKey(key.public))).toBe(key.public);
  });

  test.each([31, 33, 0])("%p bytes", async (length) => {
    expect(await codeOf(() => vetPublicKey(new Uint8Array(length)))).toBe("E_KEY_LENGTH");
  });

  const order8 = Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
  const multiples = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((n) =>
    (n === 8n ? Point.ZERO : order8.multiply(n, false)).toHex(),
  );
  const p = 2n ** 255n - 19n;
  const littleEndian = (n: bigint) => Buffer.from(n.toString(16).padStart(64, "0"), "hex").reverse().toString("hex");
  const sign = 2n ** 255n;
  const second = [1n + sign, p - 1n + sign, p, p + sign, p + 1n, p + 1n + sign].map(littleEndian);

  test("eight points have small order", () => expect(new Set(multiples).size).toBe(8));

  test.each([...multiples, ...second])("%s has small order", async (hex) => {
    expect(await codeOf(() => vetPublicKey(Buffer.from(hex, "hex")))).toBe("E_KEY_SMALL_ORDER");
  });

  test("a signature that nobody made verifies under such a key: why it is refused", async () => {
    const neutral = publicKeyOf(new Uint8Array([1, ...Array(31).fill(0)]));
    const trivial = new Uint8Array([1, ...Array(63).fill(0)]);
    expect(await verifySignature(neutral, new TextEncoder().encode("anything"), trivial)).toBe(true);
  });

  test.each([
    ["no point", littleEndian(2n)],
    ["a second encoding of a point", littleEndian(p + 3n)],
    ["all ones", "ff".repeat(32)],
  ])("%s", async (_, hex) => {
    expect(await codeOf(() => vetPublicKey(Buffer.from(hex, "hex")))).toBe("E_KEY_POINT");
  });

  test("a good key with a small-order part added", async () => {
    const mixed = Point.BASE.add(order8).toHex();
    expect(await codeOf(() => vetPublicKey(Buffer.from(mixed, "hex")))).toBe("E_KEY_TORSION");
  });
});

describe("possession", () => {
  test("is proved for one key and one challenge", async () => {
    const [key, other] = [await generateKey(), await generateKey()];
    const proof = await provePossession(key, "@acme\nnonce");
    await checkPossession(key.public, "@acme\nnonce", proof);
    for (const [by, challenge, shown] of [
      [other.public, "@acme\nnonce", proof],
      [key.public, "@other\nnonce", proof],
      [key.public, "@acme\nnonce", ""],
      [key.public, "@acme\nnonce", `${proof} `],
      [key.public, "@acme\nnonce", "A".repeat(1000)],
    ] as const)
      expect(await codeOf(() => checkPossession(by, challenge, shown))).toBe("E_KEY_POSSESSION");
    expect(await codeOf(() => provePossession(key, "x".repeat(2000)))).toBe("E_KEY_POSSESSION");
  });
});

describe("key files", () => {
  test("encrypted: opened by the passphrase only, and only unchanged", async () => {
    const [key, other] = [await generateKey(), await generateKey()];
    const text = await sealKey(key, "pässword");
    expect(text).not.toContain(Buffer.from(key.pkcs8).toString("base64").slice(24, 60));
    expect(keyFileHead(text)).toEqual({ public: key.public, encrypted: true });
    expect(await openKey(text, "pässword".normalize("NFD"))).toEqual(key);
    expect(await codeOf(() => openKey(text, "password"))).toBe("E_KEY_PASSPHRASE");
    expect(await codeOf(() => openKey(text, ""))).toBe("E_KEY_PASSPHRASE");
    expect(await codeOf(() => openKey(text, null))).toBe("E_KEY_PASSPHRASE_MISSING");
    expect(await codeOf(() => openKey(text.replace(key.public, other.public), "pässword"))).toBe("E_KEY_PASSPHRASE");
  });

  test("unencrypted only when asked for", async () => {
    const [key, other] = [await generateKey(), await generateKey()];
    expect(await codeOf(() => sealKey(key, ""))).toBe("E_KEY_UNENCRYPTED");
    const text = await sealKey(key, null);
    expect(keyFileHead(text).encrypted).toBe(false);
    expect(await openKey(text, null)).toEqual(key);
    expect(await codeOf(() => openKey(text.replace(key.public, other.public), null))).toBe("E_KEY_FILE");
    expect(await codeOf(() => openKey(text.replace(/"pkcs8": "..../, '"pkcs8": "AAAA'), null))).toBe("E_KEY_FILE");
  });

  test.each([
    ["{}", "E_KEY_FILE"],
    ["-----BEGIN PRIVATE KEY-----", "E_JSON"],
    [" ".repeat(5000), "E_JSON_TOO_LARGE"],
  ])("%p is none", async (text, code) => {
    expect(await codeOf(() => openKey(text, null))).toBe(code);
  });
});

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "";
}
