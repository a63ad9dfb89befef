import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { KEPT_ABSENT, NEVER_WRITTEN } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { WriteGrant } from "../sandbox/profile.ts";
import { idOf, type Met, walk } from "./tree.ts";

/** A grant, and what of protected names was there before the run, under whatever name it is found afterwards. */
export type Guarded = WriteGrant & { known: ReadonlySet<string> };

const MAX_FILES = 20_000;
const MAX_PROTECTED = 200;
/** A mount's path is a word of bubblewrap's and a path of the kernel's. */
const MAX_KEPT_PATH_BYTES = 2048;
const MAX_TOLD = 10;
/** What was moved aside keeps this name, and is as protected as what it was. */
const ASIDE = "hookpkg-removed-";

/** What of a place stays as it is, at any depth. E_RUN_WRITE_SIZE above the limits, E_RUN_PROTECTED where such a name is a link. */
export function guarded(place: string): Guarded {
  const known = new Set<string>();
  if (!lstatSync(place).isDirectory()) return { path: place, keep: [], deny: [], known };
  const keep: string[] = [];
  let files = 0;
  const note = ({ name, path, found }: Met): boolean => {
    if (++files > MAX_FILES) throw refuse("E_RUN_WRITE_SIZE", { place, maxFiles: MAX_FILES });
    if (!isProtectedName(name)) return true;
    const full = join(place, path());
    if (full.includes("\ufffd") && isClosedAside(name, found)) return false;
    // A mount would follow the one, and has no words for the other.
    if (found.isSymbolicLink() || full.includes("\ufffd"))
      throw refuse("E_RUN_PROTECTED", { place, unmountable: path() });
    known.add(idOf(found));
    if (keep.push(full) > MAX_PROTECTED || Buffer.byteLength(full) > MAX_KEPT_PATH_BYTES)
      throw refuse("E_RUN_WRITE_SIZE", { place, maxProtected: MAX_PROTECTED });
    return false;
  };
  walked(place, note);
  const deny = KEPT_ABSENT.map((name) => join(place, name)).filter((path) => !keep.includes(path));
  return { path: place, keep, deny, known };
}

/** Moves aside what a run made of protected names, out of everybody's reach, and tells where it stood. */
export function moveAside({ path: place, known }: Guarded): string[] {
  if (!lstatSync(place).isDirectory()) return [];
  const told: string[] = [];
  const move = ({ at, name, path, found }: Met): boolean => {
    if (!isProtectedName(name)) return true;
    // An empty folder does nothing, and may be the cover of another run's.
    if (known.has(idOf(found)) || isClosedAside(name, found) || (found.isDirectory() && isEmpty(at))) return false;
    if (told.length < MAX_TOLD) told.push(join(place, path()).slice(-MAX_KEPT_PATH_BYTES));
    const aside = Buffer.from(
      at.toString("latin1").replace(/[^/]*$/, `${ASIDE}${randomBytes(4).toString("hex")}`),
      "latin1",
    );
    renameSync(at, aside);
    if (!found.isSymbolicLink()) chmodSync(aside, 0);
    return false;
  };
  walk(place, move, { force: true });
  return told;
}

export function isProtectedName(name: string): boolean {
  return NEVER_WRITTEN.has(name.toLowerCase()) || name.startsWith(ASIDE);
}

function isClosedAside(name: string, { mode }: Stats): boolean {
  return name.startsWith(ASIDE) && (mode & 0o7777) === 0;
}

function isEmpty(folder: Buffer): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** A folder that is closed to us could hold anything. */
function walked(place: string, meet: (met: Met) => boolean): void {
  try {
    walk(place, meet);
  } catch (cause) {
    throw isFault(cause) ? cause : refuse("E_RUN_PROTECTED", { place, system: String(cause).slice(0, 200) }, cause);
  }
}
