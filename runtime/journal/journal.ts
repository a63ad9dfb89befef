import { closeSync, constants, existsSync, fstatSync, readSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "@hookpkg/fault";
import { type JournalLine, redact } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { type Home, makeFolder } from "../home.ts";
import { EVENT_WAIT_MS, withLock } from "../person/file-lock.ts";
import { openRegular } from "../person/regular-file.ts";

/** A file is put aside before it grows beyond `maxBytes`; `maxFiles` are kept, the one being written among them. */
export type JournalLimits = { maxBytes: number; maxFiles: number };
export const JOURNAL_LIMITS: JournalLimits = { maxBytes: 8 * 1024 * 1024, maxFiles: 5 };

/**
 * Appends lines to a project's journal in one write, so that events that end at the same time never mix. Redacted here, at its
 * only door. The file never leaves the person's state. Resolves to the lines as they were written.
 */
export async function journal(
  home: Home,
  project: string,
  lines: readonly JournalLine[],
  { secrets = [], limits = JOURNAL_LIMITS }: { secrets?: readonly string[]; limits?: JournalLimits } = {},
): Promise<readonly JournalLine[]> {
  if (lines.length === 0) return [];
  const folder = makeFolder(home, journalFolder(home, project));
  const written = lines.map((line) => redacted(line, secrets));
  const text = written.map((line) => `${JSON.stringify(line)}\n`).join("");
  await withLock(home, join(folder, "lock"), () => append(folder, Buffer.from(text), limits), EVENT_WAIT_MS);
  return written;
}

export function journalFolder(home: Home, project: string): string {
  return join(home.state, "journal", project);
}

/** The file that is written (0), or one of those put aside, the newest first. */
export function journalFile(folder: string, n: number): string {
  return join(folder, n === 0 ? "journal.jsonl" : `journal.${n}.jsonl`);
}

/** Value by value: a secret with a quote in it is found, and a line that was redacted is still a line. */
function redacted(line: JournalLine, secrets: readonly string[]): JournalLine {
  const clean = (text: string) => redact(text, secrets);
  const { session, turn, tool, why, stderr, denied } = line;
  return {
    ...line,
    session: clean(session),
    turn: turn === null ? null : clean(turn),
    ...(tool === undefined ? {} : { tool: clean(tool) }),
    ...(why === undefined ? {} : { why: clean(why) }),
    ...(stderr === undefined ? {} : { stderr: clean(stderr) }),
    ...(denied === undefined ? {} : { denied: denied.map(clean) }),
  };
}

function append(folder: string, bytes: Buffer, { maxBytes, maxFiles }: JournalLimits): void {
  try {
    let fd = opened(folder);
    const { size } = fstatSync(fd);
    if (size + bytes.byteLength > maxBytes && size > 0) {
      closeSync(fd);
      rotate(folder, maxFiles);
      fd = opened(folder);
    } else if (size > 0 && !endsLine(folder, size)) writeSync(fd, "\n"); // a kill or a full disk cut the last one short
    try {
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw refuse("E_STATE_UNWRITABLE", { file: journalFile(folder, 0), system: systemCode(cause) }, cause);
  }
}

function opened(folder: string): number {
  return openRegular(journalFile(folder, 0), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT).fd;
}

function endsLine(folder: string, size: number): boolean {
  const last = new Uint8Array(1);
  const { fd } = openRegular(journalFile(folder, 0));
  try {
    readSync(fd, last, 0, 1, size - 1);
    return last[0] === 0x0a;
  } finally {
    closeSync(fd);
  }
}

/** Up to the first gap only: a rotation that was killed half-way is gone on with, and costs no file twice. */
function rotate(folder: string, maxFiles: number): void {
  let gap = 1;
  while (gap < maxFiles - 1 && existsSync(journalFile(folder, gap))) gap++;
  for (let n = gap - 1; n >= 0; n--) renameSync(journalFile(folder, n), journalFile(folder, n + 1));
}
