import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { isFault, systemCode } from "@hookpkg/fault";
import { type Home, makeFolder } from "@hookpkg/runtime";
import {
  generateKey,
  KEY_FILE_MODE,
  keyFileHead,
  MAX_KEY_FILE_BYTES,
  openKey,
  type PrivateKey,
  type PublicKey,
  sealKey,
} from "@hookpkg/signing";
import { parsedFrom, type Scope } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { askSecret } from "../prompt.ts";
import { writeWhole } from "../whole-file.ts";

const MAX_TRIES = 3;

/** Where a scope's key is kept. `root` says who may publish and is rarely needed; `release` signs every release. */
export function scopeKeyFile(home: Home, scope: Scope, role: "root" | "release"): string {
  return join(home.config, "keys", `${scope.slice(1)}.${role}.key`);
}

/** Where the key is kept that signs this person's approvals. */
export function approverKeyFile(home: Home): string {
  return join(home.config, "keys", "approver.key");
}

/** The keys that one command opens or makes. A passphrase is asked once, and tried for every key that follows. */
export type KeyRing = { newPassphrase(what: string): Promise<string | null>; open(file: string): Promise<PrivateKey> };

export function keyRing(call: Call): KeyRing {
  let known: string | null = null;
  return {
    /** Asked twice; `null` when `--no-passphrase` says that new keys stay unencrypted. */
    async newPassphrase(what) {
      if (call.flags.on("no-passphrase")) return null;
      known = await askSecret(call.terminal, { text: `Passphrase for ${what}`, flag: "--no-passphrase" }, true);
      return known;
    },
    async open(file) {
      const bytes = readKeyFile(file);
      if (!parsedFrom(file, () => keyFileHead(bytes)).encrypted) return openKey(bytes, null);
      for (let tries = known === null ? 1 : 0; ; tries++) {
        const passphrase: string = tries === 0 && known !== null ? known : await askPassphrase(call, file);
        try {
          const key = await openKey(bytes, passphrase);
          known = passphrase;
          return key;
        } catch (error) {
          if (!isFault(error, "E_KEY_PASSPHRASE") || tries === MAX_TRIES) throw error;
          if (tries > 0) call.terminal.note("the passphrase is wrong");
        }
      }
    },
  };
}

/** The public half that a key file claims to hold, without opening it. */
export function publicKeyIn(file: string): PublicKey {
  return parsedFrom(file, () => keyFileHead(readKeyFile(file))).public;
}

/** Whether a passphrase is needed to sign with it. */
export function isSealed(file: string): boolean {
  return parsedFrom(file, () => keyFileHead(readKeyFile(file))).encrypted;
}

/** Makes a key and its file, readable by its owner alone. E_KEYGEN_EXISTS: a key is never overwritten. */
export async function makeKeyFile(file: string, passphrase: string | null): Promise<PrivateKey> {
  const key = await generateKey();
  const made = writeWhole(file, await sealKey(key, passphrase), { mode: KEY_FILE_MODE, existing: "keep" });
  if (!made) throw refuse("E_KEYGEN_EXISTS", { file });
  return key;
}

/** The keys of a scope that are missing, under one passphrase. Gives the release key. */
export async function makeScopeKeys(home: Home, scope: Scope, passphrase: string | null): Promise<PrivateKey> {
  makeFolder(home, join(home.config, "keys"));
  const root = scopeKeyFile(home, scope, "root");
  if (!existsSync(root)) await makeKeyFile(root, passphrase);
  return makeKeyFile(scopeKeyFile(home, scope, "release"), passphrase);
}

function askPassphrase(call: Call, file: string): Promise<string> {
  return askSecret(call.terminal, { text: `Passphrase of ${file}`, flag: "a key that was made with --no-passphrase" });
}

/** Bytes of a regular file, one more at most than a key file may have: the door says then that it is too large. */
function readKeyFile(file: string): Uint8Array {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe would be waited for
    try {
      if (!fstatSync(fd).isFile()) throw refuse("E_FILE_READ", { path: file, found: "not a file" });
      const bytes = new Uint8Array(MAX_KEY_FILE_BYTES + 1);
      return bytes.subarray(0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw refuse("E_FILE_READ", { path: file, found: systemCode(cause) }, cause);
  }
}
