import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { openCheckpoint, verifyConsistency } from "@hookpkg/log";
import { type Home, writeState } from "@hookpkg/runtime";
import { refuse } from "../faults.ts";
import { type BoundRegistry, readScopes, updateScopes } from "./binding.ts";

/**
 * Remembers a verified checkpoint of a registry's log. It must continue the last one that was seen, or be one that the last
 * one continues; else both are kept as evidence and E_SPLIT_VIEW names the file.
 */
export async function seeCheckpoint(home: Home, registry: BoundRegistry, checkpoint: string): Promise<void> {
  const { client, key } = registry;
  const seen = readScopes(home).registries[client.url]?.checkpoint ?? null;
  if (seen === checkpoint) return;
  const now = openCheckpoint(checkpoint, key);
  if (seen !== null) {
    const before = openCheckpoint(seen, key);
    const [older, newer] = before.size <= now.size ? [before, now] : [now, before];
    const { proof } = older.size === newer.size ? { proof: [] } : await client.consistency(older.size, newer.size);
    try {
      verifyConsistency(older, newer, proof.map(hashOf));
    } catch (error) {
      if (!isFault(error)) throw error;
      throw refuse(
        "E_SPLIT_VIEW",
        { registry: client.url, why: error.code, evidence: keep(home, seen, checkpoint) },
        error,
      );
    }
    if (newer === before) return;
  }
  await updateScopes(home, (scopes) => {
    const record = scopes.registries[client.url];
    if (!record) return scopes;
    // Another command may have seen more of the log in the meantime.
    if (record.checkpoint !== null && openCheckpoint(record.checkpoint, key).size > now.size) return scopes;
    return { ...scopes, registries: { ...scopes.registries, [client.url]: { ...record, checkpoint } } };
  });
}

/** Both signed checkpoints: together they prove what the registry did. */
function keep(home: Home, seen: string, shown: string): string {
  const file = join(home.state, "split-views", `${crypto.randomUUID()}.json`);
  writeState(home, file, { v: 1, seen, shown });
  return file;
}

function hashOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
