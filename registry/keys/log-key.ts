import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { NoteKey } from "@hookpkg/log";
import { canonicalBytes, parseJson, type Sha256, sha256 } from "@hookpkg/spec";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { refuse } from "../faults.ts";
import { writeWhole } from "../store/write-whole.ts";

/** The log's own key. `rootBytes` are what `GET /v1/root` answers, `root` their digest, which a person can be told. */
export type LogKey = {
  readonly privateKey: KeyObject;
  readonly note: NoteKey;
  readonly rootBytes: Uint8Array;
  readonly root: Sha256;
};

/**
 * Reads the log's key from `<dataDir>/log-key.json`, or makes it, readable by its owner only. `mayCreate` is false once the
 * log has entries: a second key would silently start another log.
 */
export async function openLogKey(dataDir: string, mayCreate: boolean): Promise<LogKey> {
  const path = join(dataDir, "log-key.json");
  if (!existsSync(path)) {
    if (!mayCreate) throw refuse("E_SERVE_KEY_MISSING", { path });
    await writeWhole(path, newKeyFile(), 0o600);
  }
  if ((statSync(path).mode & 0o077) !== 0) throw refuse("E_SERVE_KEY_MODE", { path });
  return logKeyOf(path, readFileSync(path));
}

const KeyFile = Type.Object(
  { v: Type.Literal(1), origin: Type.String({ minLength: 1, maxLength: 255 }), pkcs8: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
);

function newKeyFile(): Uint8Array {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  // Only a label, but unique: two registries' checkpoints must never pass for one another's.
  const origin = `hookpkg-log/${sha256(rawPublic(privateKey)).slice("sha256:".length, "sha256:".length + 32)}`;
  return new TextEncoder().encode(`${JSON.stringify({ v: 1, origin, pkcs8 })}\n`);
}

function logKeyOf(path: string, file: Uint8Array): LogKey {
  try {
    const { origin, pkcs8 } = Value.Decode(KeyFile, parseJson(file, { maxBytes: MAX_KEY_FILE_BYTES }));
    const privateKey = createPrivateKey({ key: Buffer.from(pkcs8, "base64"), format: "der", type: "pkcs8" });
    const publicKey = rawPublic(privateKey);
    if (publicKey.length !== 32) throw new Error("not an Ed25519 key");
    const logKey = Buffer.from(publicKey).toString("base64");
    const rootBytes = canonicalBytes({ v: 1, origin, logKey });
    return { privateKey, note: { name: origin, publicKey }, rootBytes, root: sha256(rootBytes) };
  } catch (cause) {
    throw refuse("E_SERVE_KEY_FILE", { path }, cause);
  }
}

function rawPublic(privateKey: KeyObject): Uint8Array {
  return new Uint8Array(Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x ?? "", "base64url"));
}

const MAX_KEY_FILE_BYTES = 4096;
