import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Files, readTree, treePath } from "@hookpkg/archive";
import type { Sha256 } from "@hookpkg/spec";

/** Bytes of trees that are kept in memory; the one that was not used for the longest time goes first. */
const MAX_KNOWN_BYTES = 64 * 1024 * 1024;

type Known = { look: string; files: Files; bytes: number };
const known = new Map<string, Known>();

/**
 * Every file of a stored tree, hashed by this process from these very bytes. A process that lives long hashes a tree once, and anew when
 * anything on the disk looks different: what runs is what was hashed either way, the look only says when to read again. Throws what
 * `readTree` does.
 */
export async function knownTree(store: string, tree: Sha256): Promise<Files> {
  const folder = treePath(store, tree);
  const look = looked(folder); // before reading, so that a change in between is seen next time
  const found = known.get(folder);
  if (found !== undefined && look !== undefined && found.look === look) return found.files;
  known.delete(folder);
  const files = await readTree(store, tree);
  if (look !== undefined) keep(folder, { look, files, bytes: files.reduce((sum, file) => sum + file.bytes.length, 0) });
  return files;
}

function keep(folder: string, tree: Known): void {
  known.set(folder, tree);
  let total = 0;
  for (const { bytes } of known.values()) total += bytes;
  for (const [name, { bytes }] of known) {
    if (total <= MAX_KNOWN_BYTES) break;
    known.delete(name);
    total -= bytes;
  }
}

/** Names, inodes, sizes and times of everything in it; undefined when it cannot be looked at. */
function looked(folder: string): string | undefined {
  try {
    const lines: string[] = [];
    const folders = [folder];
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      lines.push(lineOf(at));
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else lines.push(lineOf(path));
      }
    }
    return lines.join("\n");
  } catch {
    return undefined;
  }
}

function lineOf(path: string): string {
  const { mode, ino, size, mtimeMs, ctimeMs } = lstatSync(path);
  return [path, mode, ino, size, mtimeMs, ctimeMs].join(" ");
}
