import { chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isSystem } from "@hookpkg/fault";
import { refuse } from "../faults.ts";
import { LOOK_SHARE } from "../sandbox/excess.ts";
import type { Mode } from "../sandbox/profile.ts";

const MAX_DATA_FILES = 50_000;
const MIB = 1024 * 1024;
/** A running handler's folder is looked at no more often than this. */
const DATA_LOOK_MS = 200;

/**
 * A package's folder for this project, ready for the user that the sandbox runs as. Above its limit nothing runs until the
 * person clears it (E_RUN_QUOTA). A package can plant anything there, so links are never followed.
 */
export function prepareData(folder: string, limitMiB: number, mode: Mode): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bytes, files } = measure(folder, limitMiB);
  if (isAbove({ bytes, files }, limitMiB)) throw refuse("E_RUN_QUOTA", { bytes, files, limitMiB });
  if (mode.kind === "root" && lstatSync(folder).uid !== mode.uid) chownSync(folder, mode.uid, mode.uid);
  return folder;
}

/** Whether it has grown above its limit by now. Large folders are measured less often. */
export function dataWatch(folder: string, limitMiB: number): () => boolean {
  let due = performance.now() + DATA_LOOK_MS;
  return () => {
    const from = performance.now();
    if (from < due) return false;
    const isFull = isAbove(measure(folder, limitMiB), limitMiB);
    const now = performance.now();
    due = now + Math.max(DATA_LOOK_MS, (now - from) * LOOK_SHARE);
    return isFull;
  };
}

type Measure = { bytes: number; files: number };

function isAbove({ bytes, files }: Measure, limitMiB: number): boolean {
  return bytes > limitMiB * MIB || files > MAX_DATA_FILES;
}

/** As far as is needed to know that it is too much. A folder that was closed to us, or lies too deep to be read, hides something: too much. */
function measure(folder: string, limitMiB: number): Measure {
  const found = { bytes: 0, files: 0 };
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && !isAbove(found, limitMiB); at = folders.pop()) {
    try {
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        found.files++;
        const path = join(at, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else found.bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
    } catch (cause) {
      if (!isSystem(cause, "ENOENT") && !isSystem(cause, "ENOTDIR")) found.files = Number.POSITIVE_INFINITY;
    }
  }
  return found;
}
