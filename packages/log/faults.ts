import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_LOG_RANGE: "the log position or size is outside the tree",
  E_LOG_PROOF: "the proof is not a list of 32-byte hashes of a possible length",
  E_LOG_INCLUSION: "the proof does not show that the entry is in the log",
  E_LOG_INCONSISTENT: "the proof does not show that the newer log continues the older one",
  E_LOG_SHRUNK: "the log is smaller than one that was seen before",
  E_LOG_FORKED: "two checkpoints of the same log and size have different roots",
  E_LOG_STORE: "the log's storage does not hold a hash that it must hold",
  E_LOG_ENTRY_SIZE: "the log entry is empty or longer than the log format allows",
  E_LOG_TILE: "this is not the path of a tile",
  E_LOG_NOTE: "the signed note is malformed",
  E_LOG_KEY: "the log key is not a 32-byte Ed25519 key with a valid name",
  E_LOG_UNSIGNED: "the note carries no signature by the expected key",
  E_LOG_SIGNATURE: "a signature by the expected key does not verify",
  E_LOG_CHECKPOINT: "the signed text is not a checkpoint",
  E_LOG_ORIGIN: "the checkpoint is of another log",
  E_LOG_RECEIPT: "the receipt and its checkpoint disagree",
});
