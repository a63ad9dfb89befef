import {
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isFault, isSystem, systemCode } from "@hookpkg/fault";
import { hexOf, sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Outside } from "../outside.ts";
import { inPrivateFolder } from "./private-folder.ts";

/** Of one session: what would not fit is not kept, and what was promised stays. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024;
const MAX_SESSION_FILES = 10_000;
const KEPT_MS = 24 * 60 * 60 * 1000;
const NAME_DIGITS = 12;
const MAX_TRIES = 5;

/** A session as its host names it: that name is the host's text and never a path. */
export type SessionOf = { host: string; session: string };

/**
 * Writes a text whole into a new file of the session's and gives its path. E_SPILL_FOLDER when a folder on the way is a link, somebody
 * else's or open to others, E_SPILL_FULL when the session has no room for it, E_SPILL_UNWRITABLE.
 */
export function keepText(outside: Outside, of: SessionOf, text: string, maxBytes = MAX_SESSION_BYTES): string {
  for (let tries = MAX_TRIES; ; tries--)
    try {
      return keptOnce(outside, of, { text, maxBytes });
    } catch (error) {
      if (tries === 1 || !isSwept(error)) throw error;
    }
}

/** Somebody else's sweep took the folder while it was still empty. */
function isSwept(error: unknown): boolean {
  return isSystem(error, "ENOENT") || (isFault(error) && isSystem(error.cause, "ENOENT"));
}

function keptOnce(outside: Outside, of: SessionOf, { text, maxBytes }: { text: string; maxBytes: number }): string {
  const bytes = Buffer.from(`${text}\n`);
  const names = [...rootNames(), sessionName(of)];
  const name = `${outside.randomId().slice(0, NAME_DIGITS)}.txt`;
  return inPrivateFolder({ base: outside.temporary, names, make: true }, ({ inside }) => {
    const file = join(inside, name);
    refuseFull(inside, bytes.byteLength, maxBytes);
    writeNew(file, bytes, outside.now());
    try {
      refuseFull(inside, 0, maxBytes); // several may have looked at once: who sees that it is too much takes its own away
    } catch (fault) {
      unlinkSync(file);
      throw fault;
    }
    return join(outside.temporary, ...names, name);
  });
}

/** Where all of this user's texts are: below `/tmp`, never where the environment says, which a project can set. */
export function spillFolder(outside: Pick<Outside, "temporary">): string {
  return join(temporaryFolder(outside), "spill");
}

/** What is ours below `/tmp`: no handler's to see. */
export function temporaryFolder({ temporary }: Pick<Outside, "temporary">): string {
  return join(temporary, rootNames()[0]);
}

function rootNames(): [string, string] {
  return [`hookpkg-${process.getuid?.() ?? -1}`, "spill"];
}

function sessionName({ host, session }: SessionOf): string {
  return hexOf(sha256(JSON.stringify([host, session]))).slice(0, NAME_DIGITS);
}

function refuseFull(inside: string, more: number, maxBytes: number): void {
  const sizes = readdirSync(inside).map((name) => lstatSync(join(inside, name), { throwIfNoEntry: false })?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, more);
  if (bytes > maxBytes || sizes.length > MAX_SESSION_FILES)
    throw refuse("E_SPILL_FULL", { bytes, files: sizes.length });
}

function writeNew(file: string, bytes: Uint8Array, at: Date): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  let isMade = false;
  try {
    const fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    isMade = true;
    try {
      fchmodSync(fd, 0o600);
      for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done);
      futimesSync(fd, at, at);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (isMade) unlinkSync(file);
    throw refuse("E_SPILL_UNWRITABLE", { system: systemCode(cause) }, cause);
  }
}

/** Takes away what is older than a day (or of a day to come) and sessions of which nothing is left. Never throws. */
export function sweepTexts(outside: Outside): void {
  const nowMs = outside.now().getTime();
  removeTexts(outside, (changedMs) => Math.abs(nowMs - changedMs) > KEPT_MS);
}

/** Takes away every text that a person's sessions left. Gives their number; what is not ours alone is left where it is. */
export function clearTexts(outside: Outside): number {
  return removeTexts(outside, () => true);
}

function removeTexts(outside: Outside, isOver: (changedMs: number) => boolean): number {
  const at = { base: outside.temporary, make: false };
  const sessions = quietly(
    () => inPrivateFolder({ ...at, names: rootNames() }, ({ inside }) => readdirSync(inside)),
    [],
  );
  return sessions.reduce((count, session) => {
    const names = [...rootNames(), session];
    const removed = quietly(() => inPrivateFolder({ ...at, names }, ({ inside }) => removeIn(inside, isOver)), 0);
    const emptied = ({ inside }: { inside: string }) => rmdirSync(join(inside, session));
    quietly(() => inPrivateFolder({ ...at, names: rootNames() }, emptied), undefined); // one that is not empty stays
    return count + removed;
  }, 0);
}

function removeIn(inside: string, isOver: (changedMs: number) => boolean): number {
  const over = readdirSync(inside).filter((name) => {
    const changedMs = lstatSync(join(inside, name), { throwIfNoEntry: false })?.mtimeMs;
    return changedMs !== undefined && isOver(changedMs);
  });
  for (const name of over) quietly(() => unlinkSync(join(inside, name)), undefined);
  return over.length;
}

/** What cannot be taken away now is the next sweep's, or the system's. */
function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (isFault(error) || systemCode(error) !== "") return otherwise;
    throw error;
  }
}
