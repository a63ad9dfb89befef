import { chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../faults.ts";
import type { Mode } from "../sandbox/profile.ts";

const MAX_DATA_FILES = 50_000;

/**
 * A package's folder for this project, ready for the user that the sandbox runs as. Above its limit nothing runs until the
 * person clears it (E_RUN_QUOTA). A package can plant anything there, so links are never followed.
 */
export function prepareData(folder: string, limitMiB: number, mode: Mode): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bytes, files } = measure(folder);
  if (bytes > limitMiB * 1024 * 1024 || files > MAX_DATA_FILES) throw refuse("E_RUN_QUOTA", { bytes, files, limitMiB });
  if (mode.kind === "root" && lstatSync(folder).uid !== mode.uid) chownSync(folder, mode.uid, mode.uid);
  return folder;
}

function measure(folder: string): { bytes: number; files: number } {
  let [bytes, files] = [0, 0];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && files <= MAX_DATA_FILES; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      files++;
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return { bytes, files };
}
