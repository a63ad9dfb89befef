import { mkdirSync, statSync } from "node:fs";
import { open, readdir, rename, rm, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { refuseRequest } from "@hookpkg/protocol";
import { hexOf, type Sha256 } from "@hookpkg/spec";
import { type Body, eachPart } from "../http/request.ts";
import type { Outside } from "../outside.ts";
import { syncFolder } from "../store/write-whole.ts";

export type BlobLimits = { readonly maxBytes: number; readonly maxMs: number };

/** Bytes under their own digest: what is there once never changes, and a loser of a race can't touch a winner's. */
export type Blobs = {
  /** Reads `body` to its end into the blob `digest`. `created` is false if it was there. Unfinished or wrong bytes leave nothing. */
  put(
    digest: Sha256,
    body: AsyncIterable<Uint8Array>,
    limits: BlobLimits,
  ): Promise<{ created: boolean; bytes: number }>;
  /** All bytes, and the blob's hour begins anew; `null` if there is none. */
  lease(digest: Sha256): Promise<Uint8Array | null>;
  /** Path of the file, for serving; `null` if there is none. */
  path(digest: Sha256): string | null;
  /** Removes blobs untouched since `before` that `keep` doesn't claim; answers how many. */
  sweep(before: Date, keep: (digest: Sha256) => Promise<boolean>): Promise<number>;
  /** Removes what interrupted uploads left. Only when none can be running. */
  clearTemps(): Promise<void>;
};

export function openDiskBlobs(folder: string, outside: Outside): Blobs {
  const temps = join(folder, "incoming");
  mkdirSync(temps, { recursive: true, mode: 0o755 });
  const at = (digest: Sha256) => join(folder, hexOf(digest));
  return {
    put: async (digest, body, limits) => {
      const temp = join(temps, crypto.randomUUID());
      try {
        const bytes = await receive(temp, digest, body, limits);
        outside.reached("blob:written");
        const created = !(await exists(at(digest)));
        await utimes(temp, outside.now(), outside.now());
        await rename(temp, at(digest));
        await syncFolder(folder);
        outside.reached("blob:renamed");
        return { created, bytes };
      } finally {
        await rm(temp, { force: true });
      }
    },
    lease: async (digest) => {
      if (!(await exists(at(digest)))) return null;
      const now = outside.now();
      await utimes(at(digest), now, now);
      return new Uint8Array(await Bun.file(at(digest)).arrayBuffer());
    },
    path: (digest) => (statSync(at(digest), { throwIfNoEntry: false })?.isFile() ? at(digest) : null),
    sweep: async (before, keep) => {
      let swept = 0;
      for (const name of await readdir(folder)) {
        if (!BLOB.test(name) || (await stat(join(folder, name))).mtime >= before) continue;
        if (await keep(`sha256:${name}`)) continue;
        // Asked again: a publish may have leased it while the store was asked.
        if (statSync(join(folder, name)).mtime >= before) continue;
        await unlink(join(folder, name));
        swept++;
      }
      return swept;
    },
    clearTemps: async () => {
      for (const name of await readdir(temps)) await rm(join(temps, name), { force: true });
    },
  };
}

/** Writes a stream to a file while hashing and counting; answers its length. */
async function receive(path: string, digest: Sha256, body: Body, { maxBytes, maxMs }: BlobLimits): Promise<number> {
  const hash = new Bun.CryptoHasher("sha256");
  const file = await open(path, "wx", 0o644);
  let bytes = 0;
  try {
    await eachPart(body, maxMs, async (part) => {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw refuseRequest("E_REGISTRY_BODY_TOO_LARGE", { maxBytes });
      hash.update(part);
      await file.writeFile(part);
    });
    const found = `sha256:${hash.digest("hex")}`;
    if (found !== digest) throw refuseRequest("E_REGISTRY_DIGEST", { expected: digest, found, bytes });
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const BLOB = /^[0-9a-f]{64}$/;
