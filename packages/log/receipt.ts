import { fromBase64, toBase64 } from "./base64.ts";
import { type Checkpoint, openCheckpoint } from "./checkpoint.ts";
import { refuse } from "./faults.ts";
import { leafHash } from "./hash.ts";
import type { NoteKey } from "./note.ts";
import { verifyInclusion } from "./verify.ts";

/** Proof that an entry is in the log: its place, the path to the root, and the signed checkpoint with that root. Hashes in base64. */
export type Receipt = {
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
  readonly checkpoint: string;
};

/** Checks a receipt against the entry's bytes and the log's key; answers the checkpoint to be remembered. */
export function verifyReceipt(receipt: Receipt, entry: Uint8Array, key: NoteKey): Checkpoint {
  const checkpoint = openCheckpoint(receipt.checkpoint, key);
  if (checkpoint.size !== receipt.size || toBase64(checkpoint.root) !== receipt.root) {
    throw refuse("E_LOG_RECEIPT", { size: receipt.size, checkpoint: checkpoint.size });
  }
  const proof = receipt.proof.map((text) => {
    const hash = fromBase64(text);
    if (hash === null) throw refuse("E_LOG_PROOF", { hash: text.slice(0, 64) });
    return hash;
  });
  verifyInclusion(checkpoint, receipt.index, leafHash(entry), proof);
  return checkpoint;
}
