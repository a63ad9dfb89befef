import { closeSync, constants, lstatSync, mkdirSync, openSync, rmdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { refuse } from "../faults.ts";
import { tryLock } from "../sandbox/descriptor.ts";
import type { WriteGrant } from "../sandbox/profile.ts";
import type { Run } from "./command.ts";
import { type Loan, lend } from "./loan.ts";
import { isWithin, real } from "./place.ts";
import { type Guarded, guarded, isProtectedName, moveAside } from "./protected-names.ts";

/**
 * Makes the granted places writable while `body` runs. One sandbox at a time writes to a place: the names that must stay
 * absent are covered by mounts whose folders are made before and removed after, and as root the place is lent to the user
 * that the sandbox runs as. What it made of protected names all the same is moved aside, and the run has failed (E_RUN_PROTECTED).
 * `until` is a moment of performance.now(): waiting counts as the handler's own time.
 */
export async function withWriting<T>(run: Run, until: number, body: (grants: WriteGrant[]) => Promise<T>): Promise<T> {
  const places = writablePlaces(run);
  const locks: number[] = [];
  const loans: Loan[] = [];
  const grants: Guarded[] = [];
  let left: Left;
  let result: T;
  try {
    for (const place of places) locks.push(await locked(place, until));
    for (const place of places) {
      grants.push(guarded(place));
      if (run.host.mode.kind === "root") loans.push(lend(place, run.host.mode.uid));
    }
    result = await body(grants);
  } finally {
    left = putRight(grants, loans);
    locks.forEach(closeSync);
  }
  if (left.made.length > 0) throw refuse("E_RUN_PROTECTED", { made: left.made });
  if (left.faults.length > 0) throw refuse("E_RUN_WRITE_LEFT", { faults: left.faults });
  return result;
}

type Left = { made: string[]; faults: string[] };

/** Every step on its own: one that can't be done keeps no other from being done. */
function putRight(grants: readonly Guarded[], loans: readonly Loan[]): Left {
  const left: Left = { made: [], faults: [] };
  const step = (body: () => void) => {
    try {
      body();
    } catch (cause) {
      left.faults.push(String(cause).slice(0, 200));
    }
  };
  for (const { deny } of grants) deny.forEach(removeCover);
  for (const grant of grants) step(() => left.made.push(...moveAside(grant)));
  for (const loan of loans) step(() => loan.giveBack());
  return left;
}

/** Real paths below the project. A place behind a link, or one that is not there to be written, is not granted. */
function writablePlaces({ runnable, call }: Run): string[] {
  const project = call.standIn ?? call.project;
  const root = project === undefined ? undefined : real(project);
  if (root === undefined) return [];
  const places = runnable.capabilities.write.flatMap((entry) =>
    entry === "$file" ? namedFile(root, call.payload) : folderBelow(root, entry),
  );
  return [...new Set(places)].sort();
}

function folderBelow(root: string, entry: string): string[] {
  const folder = join(root, entry);
  if (!isWithin(folder, root) || folder === root || isProtected(root, folder)) return [];
  // Made one by one, so that nothing is made through a link that leads elsewhere.
  for (const path of stepsBelow(root, folder)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(path);
    else if (!found.isDirectory()) return path === folder && found.isFile() && found.nlink === 1 ? [folder] : [];
  }
  return [folder];
}

function stepsBelow(root: string, folder: string): string[] {
  const names = folder.slice(root.length + 1).split("/");
  return names.map((_, depth) => join(root, ...names.slice(0, depth + 1)));
}

/** The one file that the event names; one that has a second name elsewhere would change there, too. */
function namedFile(root: string, payload: Run["call"]["payload"]): string[] {
  const named = payload.tool_input?.file_path ?? payload.tool_input?.notebook_path;
  if (typeof named !== "string" || named.includes("\0")) return [];
  const asked = isAbsolute(named) ? named : resolve(payload.cwd, named);
  const folder = real(dirname(asked));
  const file = join(folder ?? "/", basename(asked));
  if (folder === undefined || !isWithin(file, root) || isProtected(root, file)) return [];
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.nlink === 1 ? [file] : [];
}

/** What runs later by itself or steers an agent, anywhere; and the project's own dot names. */
function isProtected(root: string, path: string): boolean {
  const parts = path.slice(root.length + 1).split("/");
  return (parts[0]?.startsWith(".") ?? true) || parts.some(isProtectedName);
}

function removeCover(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Never made, because the sandbox did not start; or no longer an empty folder, and then somebody else's.
  }
}

const LOCK_LOOK_MS = 5;

async function locked(place: string, until: number): Promise<number> {
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  for (; !tryLock(fd); await Bun.sleep(LOCK_LOOK_MS)) {
    if (performance.now() < until) continue;
    closeSync(fd);
    throw refuse("E_RUN_WRITE_BUSY", { place });
  }
  return fd;
}
