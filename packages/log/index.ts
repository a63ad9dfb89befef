export { type Checkpoint, openCheckpoint, signCheckpoint } from "./checkpoint.ts";
export { emptyRoot, HASH_BYTES, type Hash, leafHash, nodeHash } from "./hash.ts";
export {
  formatNoteKey,
  keyHash,
  MAX_NOTE_BYTES,
  MAX_NOTE_SIGNATURES,
  type NoteKey,
  type OpenNote,
  openNote,
  parseNoteKey,
  signatureLines,
  signNote,
} from "./note.ts";
export { type Receipt, verifyReceipt } from "./receipt.ts";
export {
  entryBundle,
  MAX_ENTRY_BYTES,
  parseTilePath,
  requireEntry,
  TILE_WIDTH,
  type Tile,
  tileNodes,
  tilePath,
} from "./tile.ts";
export {
  consistencyProof,
  type Growth,
  grow,
  type HashReader,
  inclusionProof,
  MAX_TREE_ENTRIES,
  type Node,
  rootHash,
} from "./tree.ts";
export { MAX_PROOF_HASHES, type TreeHead, verifyConsistency, verifyInclusion } from "./verify.ts";
