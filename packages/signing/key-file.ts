import { canonicalBytes, parseJson } from "@hookpkg/spec";
import { z } from "zod";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { refuse } from "./faults.ts";
import { type PrivateKey, privateKeyOf } from "./private-key.ts";
import { publicKeySchema } from "./public-key.ts";

export const MAX_KEY_FILE_BYTES = 4096;
/** The mode that a key file must be made with. */
export const KEY_FILE_MODE = 0o600;

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
/** Cost of one guess: about 0.3 s and 128 MiB. Part of the format, so that a file can't ask for more or for less. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 1024 * 1024 };

const base64 = z.string().max(MAX_KEY_FILE_BYTES);
const keyFileSchema = z.discriminatedUnion("kind", [
  z.strictObject({ v: z.literal(1), kind: z.literal("ed25519-plain"), public: publicKeySchema, pkcs8: base64 }),
  z.strictObject({
    v: z.literal(1),
    kind: z.literal("ed25519-scrypt17-aes256gcm"),
    public: publicKeySchema,
    salt: base64,
    nonce: base64,
    sealed: base64,
  }),
]);

/**
 * Text of a private key file: PKCS #8 under AES-256-GCM with a scrypt key, everything else of the file authenticated.
 * `null` stores it unencrypted, which only the one who types it may want; an empty passphrase is refused.
 */
export async function sealKey(key: PrivateKey, passphrase: string | null): Promise<string> {
  if (passphrase === null)
    return fileText({ v: 1, kind: "ed25519-plain", public: key.public, pkcs8: encodeBase64(key.pkcs8) });
  if (passphrase === "") throw refuse("E_KEY_UNENCRYPTED");
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const head = {
    v: 1,
    kind: "ed25519-scrypt17-aes256gcm",
    public: key.public,
    salt: encodeBase64(salt),
    nonce: encodeBase64(nonce),
  };
  const cipher = { name: "AES-GCM", iv: nonce, additionalData: canonicalBytes(head) };
  const sealed = await crypto.subtle.encrypt(cipher, await sealingKey(passphrase, salt), key.pkcs8);
  return fileText({ ...head, sealed: encodeBase64(new Uint8Array(sealed)) });
}

/** The key of a file's text. E_KEY_PASSPHRASE_MISSING when it is encrypted and none is given, E_KEY_PASSPHRASE when it is wrong. */
export async function openKey(text: string | Uint8Array, passphrase: string | null): Promise<PrivateKey> {
  const file = parseKeyFile(text);
  const pkcs8 = file.kind === "ed25519-plain" ? bytesOf(file.pkcs8) : await unsealed(file, passphrase);
  const key = await privateKeyOf(pkcs8);
  if (key.public !== file.public) throw refuse("E_KEY_FILE", { found: "the public key is another key's" });
  return key;
}

/** Whether a file needs a passphrase; the public key it is said to hold, unproved until it is opened. */
export function keyFileHead(text: string | Uint8Array): { public: PrivateKey["public"]; encrypted: boolean } {
  const file = parseKeyFile(text);
  return { public: file.public, encrypted: file.kind !== "ed25519-plain" };
}

function parseKeyFile(text: string | Uint8Array): z.infer<typeof keyFileSchema> {
  const parsed = keyFileSchema.safeParse(parseJson(text, { maxBytes: MAX_KEY_FILE_BYTES, maxDepth: 2 }));
  if (!parsed.success) throw refuse("E_KEY_FILE", {}, parsed.error);
  return parsed.data;
}

type Sealed = Extract<z.infer<typeof keyFileSchema>, { sealed: string }>;

async function unsealed({ sealed, ...head }: Sealed, passphrase: string | null): Promise<Uint8Array<ArrayBuffer>> {
  if (passphrase === null) throw refuse("E_KEY_PASSPHRASE_MISSING", { key: head.public });
  const [salt, nonce] = [bytesOf(head.salt), bytesOf(head.nonce)];
  if (salt.length !== SALT_BYTES || nonce.length !== NONCE_BYTES) throw refuse("E_KEY_FILE");
  const cipher = { name: "AES-GCM", iv: nonce, additionalData: canonicalBytes(head) };
  const key = await sealingKey(passphrase, salt);
  try {
    return new Uint8Array(await crypto.subtle.decrypt(cipher, key, bytesOf(sealed)));
  } catch (cause) {
    throw refuse("E_KEY_PASSPHRASE", { key: head.public }, cause);
  }
}

/** Passphrases are compared in NFC: the same letters typed on two keyboards are one passphrase. */
async function sealingKey(passphrase: string, salt: Uint8Array): Promise<CryptoKey> {
  const { scrypt } = process.getBuiltinModule("node:crypto"); // lazy: it costs the command's start 2 ms
  const raw = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 32, SCRYPT, (error, derived) =>
      error ? reject(error) : resolve(derived),
    ),
  );
  return crypto.subtle.importKey("raw", new Uint8Array(raw), "AES-GCM", false, ["encrypt", "decrypt"]);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text);
  if (bytes === null) throw refuse("E_KEY_FILE", { found: "base64 in another spelling" });
  return bytes;
}

function fileText(file: object): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
