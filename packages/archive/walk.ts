import { refuse } from "./faults.ts";
import type { PackageFile } from "./files.ts";
import { BLOCK_BYTES, padding } from "./header.ts";
import { LIMITS } from "./limits.ts";
import { closeFolder, namesIn, type OpenFolder, openSubfolder, readFileIn, statIn } from "./open-folder.ts";

import { shown } from "./path.ts";

/** Which names are looked at; `path` is below the root, a folder's ends with `/`. */
export type Wanted = (path: string, name: string) => boolean;
export type Walked = { files: PackageFile[]; emptyFolders: string[] };

/** Files read in one go before other work gets its turn. */
const FILES_PER_TURN = 64;

/**
 * Reads every wanted file below a folder into memory without following a link; a link or special file is a fault
 * (E_FOLDER_LINK, E_FOLDER_SPECIAL), and so is more than an archive may hold. `unfit` sees each path before it is read.
 */
export async function walk(root: OpenFolder, wanted: Wanted, unfit: (path: string) => void): Promise<Walked> {
  const walked: Walked = { files: [], emptyFolders: [] };
  let bytesLeft: number = LIMITS.MAX_TAR_BYTES;

  async function enter(folder: OpenFolder, above: string, depth: number): Promise<void> {
    if (depth > LIMITS.MAX_DEPTH) throw refuse("E_ARCHIVE_TOO_DEEP", { path: shown(above), limit: LIMITS.MAX_DEPTH });
    const names = namesIn(folder);
    if (names.length === 0) walked.emptyFolders.push(above);
    for (const name of names.sort()) await visit(folder, above + name, name, depth);
  }

  async function visit(folder: OpenFolder, path: string, name: string, depth: number): Promise<void> {
    // Bytes that are no UTF-8 were replaced when the names were read; such a name can't even be opened.
    if (name.includes("\uFFFD")) throw refuse("E_ARCHIVE_PATH_UTF8", { path: shown(path) });
    const stat = statIn(folder, name);
    if (!wanted(stat.isDirectory() ? `${path}/` : path, name)) return;
    if (stat.isDirectory()) {
      const inner = openSubfolder(folder, name);
      try {
        await enter(inner, `${path}/`, depth + 1);
      } finally {
        closeFolder(inner);
      }
      return;
    }
    if (stat.isSymbolicLink()) throw refuse("E_FOLDER_LINK", { path: shown(path) });
    if (!stat.isFile()) throw refuse("E_FOLDER_SPECIAL", { path: shown(path) });
    if (walked.files.length === LIMITS.MAX_ENTRIES) throw refuse("E_ARCHIVE_TOO_MANY", { limit: LIMITS.MAX_ENTRIES });
    unfit(path);
    const { bytes, executable } = readFileIn(folder, name, bytesLeft);
    bytesLeft -= BLOCK_BYTES + bytes.byteLength + padding(bytes.byteLength);
    if (bytesLeft < 0) throw refuse("E_ARCHIVE_TOO_LARGE", { path, limit: LIMITS.MAX_TAR_BYTES });
    walked.files.push({ path, executable, bytes });
    if (walked.files.length % FILES_PER_TURN === 0) await new Promise((done) => setImmediate(done));
  }

  await enter(root, "", 1);
  return walked;
}
