import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Checkpoint, emptyRoot, openCheckpoint, rootHash, signCheckpoint } from "@hookpkg/log";
import { refuse } from "../faults.ts";
import type { LogKey } from "../keys/log-key.ts";
import type { Store } from "../store/store.ts";
import { writeWhole } from "../store/write-whole.ts";

/** The file beside the database that holds the newest checkpoint anybody may have been answered. */
export function rememberIn(dataDir: string): (note: string) => Promise<void> {
  return (note) => writeWhole(pathIn(dataDir), note, 0o644);
}

/**
 * Lets the server start only if the database continues what was published: after a restore from an old copy, new entries
 * would take the places of old ones, and every client would see a forked log.
 */
export async function requireContinuity(dataDir: string, store: Store, key: LogKey): Promise<void> {
  const root = emptyRoot();
  const note = signCheckpoint({ origin: key.note.name, size: 0, root }, key.privateKey);
  await store.initHead({ size: 0, root, note });
  const held = opened((await store.head())?.note ?? "", key);
  if (!existsSync(pathIn(dataDir))) {
    if (held.size > 0) throw refuse("E_SERVE_CHECKPOINT_MISSING", { path: pathIn(dataDir), size: held.size });
    await rememberIn(dataDir)(note);
    return;
  }
  const published = opened(readFileSync(pathIn(dataDir), "utf8"), key);
  if (held.size < published.size) throw refuse("E_SERVE_BEHIND", { database: held.size, published: published.size });
  const then = await rootHash(store, published.size);
  if (!Buffer.from(then).equals(published.root)) throw refuse("E_SERVE_FORKED", { size: published.size });
}

function opened(note: string, key: LogKey): Checkpoint {
  try {
    return openCheckpoint(note, key.note);
  } catch (cause) {
    if (isFault(cause)) throw refuse("E_SERVE_KEY_FOREIGN", { origin: key.note.name }, cause);
    throw cause;
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, "checkpoint");
}
