import { closeSync, readSync } from "node:fs";
import { isSystem } from "@hookpkg/fault";
import type { JournalLine } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { openRegular } from "../person/regular-file.ts";
import { JOURNAL_LIMITS, journalFile, journalFolder } from "./journal.ts";

/** A line of the journal, or the place of one that a kill cut short. */
export type JournalEntry = { line: JournalLine } | { torn: true };
/** `torn`: how many lines on the way were cut short; they are left out. */
export type JournalTail = { lines: JournalLine[]; torn: number };

/** The last lines of a project's journal that are asked for, oldest first. */
export function readJournal(home: Home, project: string, { limit }: { limit: number }): JournalLine[] {
  return journalTail(home, project, { limit }).lines;
}

/** The same, with those that were cut short counted; `keep` says which lines are asked for. */
export function journalTail(
  home: Home,
  project: string,
  { limit, keep = () => true }: { limit: number; keep?: (line: JournalLine) => boolean },
): JournalTail {
  const found: JournalLine[] = [];
  let torn = 0;
  for (const entry of journalEntries(home, project)) {
    if ("torn" in entry) torn++;
    else if (keep(entry.line)) found.push(entry.line);
    if (found.length > 2 * limit) found.splice(0, found.length - limit); // now and then, so that it stays linear
  }
  return { lines: found.slice(-limit), torn };
}

/** Every line that is kept, oldest first: one pass, a piece of the files at a time in memory. */
export function* journalEntries(home: Home, project: string): Generator<JournalEntry> {
  const files = openFiles(journalFolder(home, project));
  try {
    for (const { fd } of files) yield* new LineReader(fd).rest();
  } finally {
    for (const { fd } of files) closeSync(fd);
  }
}

export type OpenFile = { fd: number; inode: number };

/**
 * The journal's files, oldest first. Opened the newest first, and none twice: a rotation in between moves a file to where it was or will
 * be looked for, never out of sight.
 */
export function openFiles(folder: string, until?: number): OpenFile[] {
  const files: OpenFile[] = [];
  for (let n = 0; n < JOURNAL_LIMITS.maxFiles; n++) {
    const file = openFile(journalFile(folder, n));
    if (file === undefined) continue;
    if (file.inode === until || files.some(({ inode }) => inode === file.inode)) closeSync(file.fd);
    else files.unshift(file);
    if (file.inode === until) break;
  }
  return files;
}

function openFile(path: string): OpenFile | undefined {
  try {
    const { fd, stat } = openRegular(path);
    return { fd, inode: stat.ino };
  } catch (error) {
    if (isSystem(error, "ENOENT")) return undefined;
    throw error;
  }
}

const PIECE_BYTES = 64 * 1024;
/** What `journal` writes is far shorter. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads a file that may still grow, line by line. */
export class LineReader {
  #begun: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(readonly fd: number) {}

  /** The lines that are complete by now. */
  *complete(): Generator<JournalEntry> {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let count = this.#read(piece); count > 0; count = this.#read(piece)) {
      let text = Buffer.concat([this.#begun, piece.subarray(0, count)]);
      for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE)) {
        yield* parsed(text.subarray(0, end));
        text = text.subarray(end + 1);
      }
      this.#begun = text.length > MAX_LINE_BYTES ? text.subarray(-1) : text;
    }
  }

  /** The same, and what stands at the end without being complete: nothing will be added to it. */
  *rest(): Generator<JournalEntry> {
    yield* this.complete();
    yield* parsed(this.#begun);
    this.#begun = Buffer.alloc(0);
  }

  #read(piece: Buffer): number {
    const count = readSync(this.fd, piece, 0, piece.length, this.#at);
    this.#at += count;
    return count;
  }
}

function parsed(bytes: Uint8Array): JournalEntry[] {
  if (bytes.length === 0) return [];
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isLine(value) ? [{ line: value }] : [{ torn: true }];
  } catch {
    return [{ torn: true }];
  }
}

/** Written by `journal` alone: enough to tell a line from the rest of one. */
function isLine(value: unknown): value is JournalLine {
  if (typeof value !== "object" || value === null) return false;
  const line: Readonly<Record<string, unknown>> = { ...value };
  const texts = ["at", "session", "host", "event", "handler", "identity", "state", "outcome", "told"];
  return (
    texts.every((name) => typeof line[name] === "string") &&
    typeof line.ms === "number" &&
    typeof line.matched === "boolean"
  );
}
