import type { KeyObject } from "node:crypto";
import { fromBase64, toBase64 } from "./base64.ts";
import { PUBLIC_KEY_BYTES, publicBytes, signEd25519, verifyEd25519 } from "./ed25519.ts";
import { refuse } from "./faults.ts";
import { sameHash, sha256 } from "./hash.ts";

/** Who signs notes: a name without spaces or plus signs, and 32 raw Ed25519 public bytes. */
export type NoteKey = { readonly name: string; readonly publicKey: Uint8Array };

/** `text` ends in a newline; `signedBy` lists the known keys whose signature was verified, never empty. */
export type OpenNote = { readonly text: string; readonly signedBy: readonly NoteKey[] };

export const MAX_NOTE_BYTES = 64 * 1024;
export const MAX_NOTE_SIGNATURES = 64;

/**
 * Opens a C2SP signed note: E_LOG_NOTE if malformed, E_LOG_SIGNATURE if a known key's signature is bad, E_LOG_UNSIGNED
 * if no known key signed. Signatures by unknown keys are ignored, as the format demands of every reader.
 */
export function openNote(note: string | Uint8Array, known: readonly NoteKey[]): OpenNote {
  const { text, signatures } = parseNote(note);
  const keys = known.map((key) => ({ key, hash: keyHash(key) }));
  const message = new TextEncoder().encode(text);
  const signedBy: NoteKey[] = [];
  for (const { name, hash, signature } of signatures) {
    const match = keys.find((each) => each.key.name === name && sameHash(each.hash, hash));
    if (match === undefined) continue;
    if (!verifyEd25519(match.key.publicKey, message, signature)) throw refuse("E_LOG_SIGNATURE", { name });
    if (!signedBy.includes(match.key)) signedBy.push(match.key);
  }
  if (signedBy.length === 0) throw refuse("E_LOG_UNSIGNED", { expected: known.map((key) => key.name) });
  return { text, signedBy };
}

/** Signs `text` (lines, each ended by a newline) under `name`. */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const publicKey = publicBytes(privateKey);
  if (publicKey === null) throw refuse("E_LOG_KEY", { name });
  const hash = keyHash({ name, publicKey });
  const signature = signEd25519(privateKey, new TextEncoder().encode(text));
  const note = `${text}\n${DASH}${name} ${toBase64(Buffer.concat([hash, signature]))}\n`;
  parseNote(note);
  return note;
}

/** C2SP signed-note: the first 4 bytes of SHA-256(name, newline, signature type 1, key). */
export function keyHash(key: NoteKey): Uint8Array {
  if (!NAME.test(key.name) || key.publicKey.length !== PUBLIC_KEY_BYTES) {
    throw refuse("E_LOG_KEY", { name: key.name, bytes: key.publicKey.length });
  }
  return sha256(new TextEncoder().encode(`${key.name}\n`), ED25519_TYPE, key.publicKey).slice(0, KEY_HASH_BYTES);
}

/** The verifier key as people pass it on: `name+hash+base64(type, key)`. */
export function formatNoteKey(key: NoteKey): string {
  const hash = Buffer.from(keyHash(key)).toString("hex");
  return `${key.name}+${hash}+${toBase64(Buffer.concat([ED25519_TYPE, key.publicKey]))}`;
}

export function parseNoteKey(text: string): NoteKey {
  const match = NOTE_KEY.exec(text);
  const [, name = "", hash = "", data = ""] = match ?? [];
  const bytes = fromBase64(data);
  if (bytes === null || bytes[0] !== ED25519_TYPE[0]) throw refuse("E_LOG_KEY", { name });
  const key = { name, publicKey: bytes.slice(1) };
  if (formatNoteKey(key) !== text) throw refuse("E_LOG_KEY", { name, hash });
  return key;
}

/** The signature lines of a note by one name, as they stand in it; what a lockfile keeps. */
export function signatureLines(note: string, name: string): string[] {
  return parseNote(note)
    .signatures.filter((line) => line.name === name)
    .map((line) => line.line);
}

type SignatureLine = { line: string; name: string; hash: Uint8Array; signature: Uint8Array };

function parseNote(note: string | Uint8Array): { text: string; signatures: SignatureLine[] } {
  const whole = decode(note);
  if (CONTROL.test(whole)) throw refuse("E_LOG_NOTE", { why: "control character" });
  const split = whole.lastIndexOf("\n\n");
  if (split < 0) throw refuse("E_LOG_NOTE", { why: "no signatures" });
  const lines = whole.slice(split + 2).split("\n");
  if (lines.pop() !== "" || lines.length === 0) throw refuse("E_LOG_NOTE", { why: "no final newline" });
  if (lines.length > MAX_NOTE_SIGNATURES) throw refuse("E_LOG_NOTE", { signatures: lines.length });
  return { text: whole.slice(0, split + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): SignatureLine {
  const [name = "", data = "", ...rest] = line.startsWith(DASH) ? line.slice(DASH.length).split(" ") : [];
  const bytes = fromBase64(data);
  if (!NAME.test(name) || bytes === null || bytes.length <= KEY_HASH_BYTES || rest.length > 0) {
    throw refuse("E_LOG_NOTE", { why: "signature line" });
  }
  return { line, name, hash: bytes.slice(0, KEY_HASH_BYTES), signature: bytes.slice(KEY_HASH_BYTES) };
}

function decode(note: string | Uint8Array): string {
  const bytes = typeof note === "string" ? Buffer.byteLength(note) : note.length;
  if (bytes > MAX_NOTE_BYTES) throw refuse("E_LOG_NOTE", { bytes });
  if (typeof note === "string") {
    if (!note.isWellFormed()) throw refuse("E_LOG_NOTE", { why: "not Unicode" });
    return note;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(note);
  } catch (cause) {
    throw refuse("E_LOG_NOTE", { why: "not UTF-8" }, cause);
  }
}

const DASH = "— ";
const KEY_HASH_BYTES = 4;
const ED25519_TYPE = Uint8Array.of(1);
const NAME = /^[^\s+\p{Cc}]{1,255}$/u;
// The format allows no control character but the newline.
const NOTE_KEY = /^([^+]{1,255})\+([0-9a-f]{8})\+(.{1,64})$/;
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;
