import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type JournalLine, parseJson, redact } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { type Home, isSystem, makeFolder, systemCode } from "../home.ts";
import { EVENT_WAIT_MS, withLock } from "../person/file-lock.ts";

/** A file of the journal is put aside at this size. */
export const MAX_JOURNAL_BYTES = 8 * 1024 * 1024;
/** Files kept: the one being written and those put aside. */
const MAX_JOURNAL_FILES = 5;

/**
 * Appends lines to a project's journal in one write, so that events that end at the same time never mix. Redacted here, at its
 * only door. The file never leaves the person's state.
 */
export async function journal(
  home: Home,
  project: string,
  lines: readonly JournalLine[],
  secrets: readonly string[] = [],
): Promise<void> {
  if (lines.length === 0) return;
  const folder = makeFolder(home, join(home.state, "journal", project));
  const text = lines.map((line) => `${redact(JSON.stringify(line), secrets)}\n`).join("");
  await withLock(home, join(folder, "lock"), () => append(folder, Buffer.from(text)), EVENT_WAIT_MS);
}

/** The last lines of a project's journal, oldest first. Lines that a kill cut short are left out. */
export function readJournal(home: Home, project: string, { limit }: { limit: number }): JournalLine[] {
  const folder = join(home.state, "journal", project);
  const found: JournalLine[] = [];
  for (let n = 0; n < MAX_JOURNAL_FILES && found.length < limit; n++) {
    const lines = existsSync(fileOf(folder, n)) ? readFileSync(fileOf(folder, n), "utf8").split("\n") : [];
    for (const line of lines.toReversed()) {
      if (found.length === limit) break;
      found.push(...parsedLine(line));
    }
  }
  return found.toReversed();
}

function append(folder: string, bytes: Buffer): void {
  try {
    let fd = opened(folder);
    const { size } = fstatSync(fd);
    if (size + bytes.byteLength > MAX_JOURNAL_BYTES && size > 0) {
      closeSync(fd);
      rotate(folder);
      fd = opened(folder);
    } else if (size > 0 && !endsLine(folder, size)) writeSync(fd, "\n"); // a kill or a full disk cut the last one short
    try {
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw refuse("E_STATE_UNWRITABLE", { file: fileOf(folder, 0), system: systemCode(cause) }, cause);
  }
}

function opened(folder: string): number {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  return openSync(fileOf(folder, 0), flags, 0o600);
}

function endsLine(folder: string, size: number): boolean {
  const last = new Uint8Array(1);
  const fd = openSync(fileOf(folder, 0), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    readSync(fd, last, 0, 1, size - 1);
    return last[0] === 0x0a;
  } finally {
    closeSync(fd);
  }
}

function rotate(folder: string): void {
  for (let n = MAX_JOURNAL_FILES - 2; n >= 0; n--) {
    try {
      renameSync(fileOf(folder, n), fileOf(folder, n + 1));
    } catch (cause) {
      if (!isSystem(cause, "ENOENT")) throw cause;
    }
  }
}

function fileOf(folder: string, n: number): string {
  return join(folder, n === 0 ? "journal.jsonl" : `journal.${n}.jsonl`);
}

function parsedLine(line: string): JournalLine[] {
  if (line === "") return [];
  try {
    return [parseJson(line) as JournalLine]; // written by `journal` above; a cut one does not parse
  } catch {
    return [];
  }
}
