import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openDiskBlobs } from "./blobs/blobs.ts";
import { openLogKey } from "./keys/log-key.ts";
import { rememberIn, requireContinuity } from "./log/published.ts";
import { createSequencer } from "./log/sequencer.ts";
import type { Outside } from "./outside.ts";
import type { Parts } from "./parts.ts";
import { lockFolder } from "./store/lock.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import { clearTemps } from "./store/write-whole.ts";

/** Unreferenced archives older than this are removed: their publisher never came back with a statement. */
const MAX_UNREFERENCED_MS = 60 * 60 * 1000;

/** Opens a data folder, new or old, and finishes what a crash interrupted. `close` gives it back. */
export async function openParts(dataDir: string, outside: Outside): Promise<Parts & { close(): Promise<void> }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(join(dataDir, "lock.sqlite"));
  try {
    await clearTemps(dataDir);
    const store = openSqliteStore(join(dataDir, "registry.sqlite"));
    try {
      const key = await openLogKey(dataDir, (await store.head()) === null);
      await requireContinuity(dataDir, store, key);
      const { privateKey, note } = key;
      const sequencer = createSequencer({
        store,
        origin: note.name,
        privateKey,
        outside,
        remember: rememberIn(dataDir),
      });
      const blobs = openDiskBlobs(join(dataDir, "blobs"), outside);
      await blobs.clearTemps();
      await sequencer.drain();
      const close = async () => {
        await sequencer.stop();
        await store.close();
        unlock();
      };
      return { store, blobs, sequencer, key, outside, close };
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Removes archives that nobody published; answers how many. */
export async function sweep({ blobs, store, outside }: Parts): Promise<number> {
  const before = new Date(outside.now().getTime() - MAX_UNREFERENCED_MS);
  return blobs.sweep(before, (digest) => store.refersTo(digest));
}
