import type { KeyObject } from "node:crypto";
import { fromBase64, toBase64 } from "./base64.ts";
import { refuse } from "./faults.ts";
import { HASH_BYTES } from "./hash.ts";
import { type NoteKey, openNote, signNote } from "./note.ts";
import { MAX_TREE_ENTRIES } from "./tree.ts";
import type { TreeHead } from "./verify.ts";

/** C2SP tlog-checkpoint: the state of the log named `origin`. */
export type Checkpoint = TreeHead & { readonly origin: string };

/** The checkpoint as a signed note; the log signs under its origin. */
export function signCheckpoint(checkpoint: Checkpoint, privateKey: KeyObject): string {
  const text = `${checkpoint.origin}\n${checkpoint.size}\n${toBase64(checkpoint.root)}\n`;
  parseCheckpoint(text);
  return signNote(text, checkpoint.origin, privateKey);
}

/** Opens a checkpoint of the log `key`. Signature first, then form, then origin; see `openNote` for its refusals. */
export function openCheckpoint(note: string | Uint8Array, key: NoteKey): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, [key]).text);
  if (checkpoint.origin !== key.name) throw refuse("E_LOG_ORIGIN", { origin: checkpoint.origin, expected: key.name });
  return checkpoint;
}

function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length > MAX_CHECKPOINT_LINES)
    throw refuse("E_LOG_CHECKPOINT", { lines: lines.length });
  const [origin = "", size = "", root64 = "", ...extensions] = lines;
  const root = fromBase64(root64);
  if (origin === "" || !DECIMAL.test(size) || root?.length !== HASH_BYTES || extensions.includes("")) {
    throw refuse("E_LOG_CHECKPOINT", { origin, size });
  }
  if (Number(size) > MAX_TREE_ENTRIES) throw refuse("E_LOG_CHECKPOINT", { size });
  return { origin, size: Number(size), root };
}

const MAX_CHECKPOINT_LINES = 64;
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
