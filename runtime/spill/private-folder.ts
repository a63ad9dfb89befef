import { closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { isSystem, systemCode } from "@hookpkg/fault";
import { refuse } from "../faults.ts";

/** A folder that is open: `inside` is the folder itself, whatever stands at its path by now. */
type Opened = { inside: string };

/**
 * Does something in a folder below `base`, which is the system's. It is opened step by step, each beside the one that is open already:
 * nobody can put a link in between, and none is followed. E_SPILL_FOLDER when a step is a link, somebody else's or open to others; with
 * `make` steps that are absent are made.
 */
export function inPrivateFolder<T>(
  { base, names, make }: { base: string; names: readonly string[]; make: boolean },
  work: (opened: Opened) => T,
): T {
  const folder = join(base, ...names);
  let at = opened(base, folder);
  try {
    for (const name of names) {
      const step = join(within(at), name);
      if (make) makePrivate(step, folder);
      const next = opened(step, folder, constants.O_NOFOLLOW);
      closeSync(at);
      at = next;
      const { uid, mode } = fstatSync(at);
      if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
        throw refuse("E_SPILL_FOLDER", { folder, step: name, owner: uid, mode: (mode & 0o7777).toString(8) });
    }
    return work({ inside: within(at) });
  } finally {
    closeSync(at);
  }
}

function opened(step: string, folder: string, more = 0): number {
  try {
    return openSync(step, constants.O_RDONLY | constants.O_DIRECTORY | more);
  } catch (cause) {
    throw refuse("E_SPILL_FOLDER", { folder, system: systemCode(cause) }, cause);
  }
}

function makePrivate(step: string, folder: string): void {
  try {
    mkdirSync(step, { mode: 0o700 });
  } catch (cause) {
    if (!isSystem(cause, "EEXIST")) throw refuse("E_SPILL_FOLDER", { folder, system: systemCode(cause) }, cause);
  }
}

function within(fd: number): string {
  return `/proc/self/fd/${fd}`;
}
