import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Home, makeFolder, readState, removeState, withLock, writeState } from "@hookpkg/runtime";
import { type Attached, attachedSchema, hexOf, type Sha256, sha256 } from "@hookpkg/spec";
import { writeWhole } from "../whole-file.ts";

export type Recorded = Attached["attachments"][number];
export type RecordedFile = Recorded["files"][number];

/** Does something while no other `attach` or `detach` of this person is at work. */
export function whileAttaching<T>(home: Home, work: () => Promise<T>): Promise<T> {
  return withLock(home, join(home.state, "attached.lock"), work);
}

/** Every entry of ours, in whoever's settings. E_STATE_…. */
export function readRecords(home: Home): readonly Recorded[] {
  return readState(attachedSchema, recordFile(home))?.attachments ?? [];
}

/** The same where a record that cannot be read is none: doctor names it. */
export function attachments(home: Home): readonly Recorded[] {
  try {
    return readRecords(home);
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}

/** The file is there exactly while something is attached: what is missing beside it is then no beginning. */
export function writeRecords(home: Home, attachments: readonly Recorded[]): void {
  if (attachments.length === 0) removeState(recordFile(home));
  else writeState(home, recordFile(home), { v: 1, attachments });
}

/** Keeps the bytes of a settings file from before we touched it, readable by the person alone: there are keys in such files. */
export function keepBackup(home: Home, text: string, digest: Sha256): string {
  const backup = join(makeFolder(home, join(home.state, "backups")), hexOf(digest));
  writeWhole(backup, text, { mode: 0o600, existing: "replace" });
  return backup;
}

/** undefined: it is gone or not what was kept. */
export function readBackup({ backup, digest }: { backup: string; digest: Sha256 }): string | undefined {
  try {
    const bytes = readFileSync(backup);
    return sha256(bytes) === digest ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function recordFile(home: Home): string {
  return join(home.state, "attached.json");
}
