import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { parseStateFile } from "@hookpkg/spec";
import type { z } from "zod";
import { refuse } from "../faults.ts";
import { type Home, makeFolder } from "../home.ts";
import { openRegular, readAtMost } from "./regular-file.ts";

const MAX_STATE_BYTES = 16 * 1024 * 1024;

/** A file of the person's state; undefined when it is absent. A link, another owner or a fault in it: E_STATE_…. */
export function readState<T extends z.ZodType>(schema: T, file: string): z.output<T> | undefined {
  const bytes = readOwn(file);
  return bytes === undefined ? undefined : parsedOnce(schema, file, bytes);
}

const MAX_PARSED = 200;
/** What files of one kind said last: a process that lives long finds the same bytes again and again. */
const parsed = new WeakMap<z.ZodType, Map<string, { bytes: Uint8Array; value: unknown }>>();

function parsedOnce<T extends z.ZodType>(schema: T, file: string, bytes: Uint8Array): z.output<T> {
  const files = parsed.get(schema) ?? new Map<string, { bytes: Uint8Array; value: unknown }>();
  const last = files.get(file);
  if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.value as z.output<T>; // set below, by this schema
  const value = frozen(parseStateFile(schema, file, bytes));
  if (files.size >= MAX_PARSED) files.clear();
  parsed.set(schema, files.set(file, { bytes, value }));
  return value;
}

/** Nobody may change what the next reader is given. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** Bytes of a regular file that is the person's own, not reached through a link; undefined when it is absent. */
export function readOwn(file: string, owner = process.getuid?.() ?? -1): Uint8Array | undefined {
  let opened: ReturnType<typeof openRegular>;
  try {
    opened = openRegular(file);
  } catch (cause) {
    if (isSystem(cause, "ENOENT")) return undefined;
    throw refuse("E_STATE_UNREADABLE", { file, system: systemCode(cause) }, cause);
  }
  const { fd, stat } = opened;
  try {
    if (stat.uid !== owner || stat.size > MAX_STATE_BYTES || (stat.mode & 0o022) !== 0)
      throw refuse("E_STATE_UNREADABLE", {
        file,
        owner: stat.uid,
        mode: (stat.mode & 0o7777).toString(8),
        bytes: stat.size,
      });
    return readAtMost(fd, MAX_STATE_BYTES);
  } catch (cause) {
    throw isFault(cause) ? cause : refuse("E_STATE_UNREADABLE", { file, system: systemCode(cause) }, cause);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes a file whole, beside its place, flushed, then renamed: a kill at any moment leaves the old one or the new one. Without
 * `flush` that holds for a kill of the process, not for a loss of power.
 */
export function writeState(home: Home, file: string, content: object, { flush = true } = {}): void {
  makeFolder(home, dirname(file));
  const unfinished = join(dirname(file), `${UNFINISHED}${process.pid}-${crypto.randomUUID()}`);
  try {
    const fd = openSync(
      unfinished,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      fchmodSync(fd, 0o600);
      const bytes = Buffer.from(`${JSON.stringify(content, null, 1)}\n`);
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
      if (flush) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(unfinished, file);
    if (flush) flushFolder(dirname(file));
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw refuse("E_STATE_UNWRITABLE", { file, system: systemCode(cause) }, cause);
  }
}

/** Takes a file away; absent is fine. */
export function removeState(file: string): void {
  try {
    unlinkSync(file);
  } catch (cause) {
    if (!isSystem(cause, "ENOENT")) throw refuse("E_STATE_UNWRITABLE", { file, system: systemCode(cause) }, cause);
  }
}

/** Takes away what killed writers left in a folder, an hour later. */
export function sweepUnfinished(folder: string, nowMs: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const age = nowMs - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
    if (age > UNFINISHED_AGE_MS) rmSync(join(folder, name), { force: true });
  }
}

const UNFINISHED = ".unfinished-";
const UNFINISHED_AGE_MS = 60 * 60 * 1000;

function flushFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY);
  fsyncSync(fd);
  closeSync(fd);
}
