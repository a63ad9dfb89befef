import { type NoteKey, openCheckpoint, verifyConsistency } from "@hookpkg/log";
import type { ResolveAnswer } from "@hookpkg/protocol";
import { refuse } from "../faults.ts";

/** Size of the log that a checkpoint states; 0 when none was seen yet. */
export function seenSize(checkpoint: string | null, key: NoteKey): number {
  return checkpoint === null ? 0 : openCheckpoint(checkpoint, key).size;
}

/**
 * The log may only grow: the new checkpoint continues the last one that this person saw, and every receipt is against it.
 * E_LOG_FORKED is evidence of two histories. Gives the checkpoint to remember.
 */
export function verifyGrowth(answer: ResolveAnswer, seen: string | null, key: NoteKey): string {
  const now = openCheckpoint(answer.checkpoint, key);
  if (seen !== null) verifyConsistency(openCheckpoint(seen, key), now, answer.consistency.map(hashOf));
  for (const { receipt, name } of answer.packages)
    if (receipt.checkpoint !== answer.checkpoint)
      throw refuse("E_VERIFY_ANSWER", { name, found: "a receipt of another checkpoint" });
  for (const { chain, scope } of answer.scopes)
    for (const { receipt } of chain)
      if (receipt.checkpoint !== answer.checkpoint)
        throw refuse("E_VERIFY_ANSWER", { name: scope, found: "a receipt of another checkpoint" });
  return answer.checkpoint;
}

function hashOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
