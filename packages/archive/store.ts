import { join, resolve } from "node:path";
import { isFault } from "@hookpkg/fault";
import { hexOf, type Sha256 } from "@hookpkg/spec";
import { refuse } from "./faults.ts";
import { type FileLine, type Files, fileLines, linesDigest, sortFiles } from "./files.ts";
import { closeFolder, type OpenFolder, openFolder, openSubfolder } from "./open-folder.ts";
import type { ValidArchive } from "./pack.ts";
import { shown } from "./path.ts";
import { discard, installTree, openStore } from "./store-write.ts";
import { walk } from "./walk.ts";

/** Where a tree lies: `<store>/<64 hex digits of its digest>`. Says nothing about whether it is there. */
export function treePath(store: string, tree: Sha256): string {
  return join(resolve(store), hexOf(tree));
}

/**
 * Puts an archive's files into the content-addressed store, whole or not at all, and gives their folder. A tree that is
 * there already is read and compared (E_STORE_DIFFERS: `removeTree` and place again), so several may place at once.
 */
export async function placeTree(store: string, archive: ValidArchive): Promise<string> {
  const root = openStore(store);
  try {
    if (!(await isPlaced(store, archive.tree))) {
      const isFirst = await installTree(root, hexOf(archive.tree), archive.files);
      if (!isFirst) await readTree(store, archive.tree, fileLines(archive.files));
    }
  } finally {
    closeFolder(root);
  }
  return treePath(store, archive.tree);
}

/**
 * Every file of a stored tree, in memory, hashed from these very bytes. Without following links: E_STORE_LINK for the
 * store or the tree's folder, E_STORE_MISSING, E_STORE_DIFFERS for one byte, mode, file or folder more or less; its `path`
 * names the first difference when the caller knows the lines.
 */
export async function readTree(store: string, tree: Sha256, known?: readonly FileLine[]): Promise<Files> {
  const folder = openTree(store, tree);
  try {
    const { files, emptyFolders } = await walk(
      folder,
      () => true,
      () => {},
    );
    const sorted = sortFiles(files);
    const lines = fileLines(sorted);
    if (emptyFolders.length > 0 || linesDigest(lines) !== tree) {
      throw refuse("E_STORE_DIFFERS", { tree, ...firstDifference(lines, emptyFolders, known) });
    }
    return sorted;
  } catch (error) {
    if (!isFault(error) || error.code.startsWith("E_STORE_")) throw error;
    // A link, a pipe, too many files: nothing that was ever placed, so the tree is not what it was.
    throw refuse("E_STORE_DIFFERS", { tree, path: error.facts.path ?? null, found: error.code }, error);
  } finally {
    closeFolder(folder);
  }
}

/** Takes a tree out of the store; absent is fine. A reader at work sees it whole or differing, never another tree. */
export async function removeTree(store: string, tree: Sha256): Promise<void> {
  const root = openStore(store);
  try {
    discard(root, hexOf(tree));
  } finally {
    closeFolder(root);
  }
}

async function isPlaced(store: string, tree: Sha256): Promise<boolean> {
  try {
    await readTree(store, tree);
    return true;
  } catch (error) {
    if (isFault(error, "E_STORE_MISSING")) return false;
    throw error;
  }
}

function openTree(store: string, tree: Sha256): OpenFolder {
  const name = hexOf(tree);
  let root: OpenFolder | undefined;
  try {
    root = openFolder(store);
    return openSubfolder(root, name);
  } catch (error) {
    if (isFault(error, "E_FOLDER_MISSING")) throw refuse("E_STORE_MISSING", { store, tree }, error);
    if (isFault(error, "E_FOLDER_LINK")) throw refuse("E_STORE_LINK", { store, tree }, error);
    throw refuse("E_STORE_DIFFERS", { store, tree, found: isFault(error) ? error.code : null }, error);
  } finally {
    if (root) closeFolder(root);
  }
}

function firstDifference(found: readonly FileLine[], emptyFolders: readonly string[], known?: readonly FileLine[]) {
  if (emptyFolders[0] !== undefined) return { path: shown(emptyFolders[0]), found: "an empty folder" };
  if (known === undefined) return {};
  const before = new Map(known.map((line) => [line[0], line]));
  const now = new Map(found.map((line) => [line[0], line]));
  const path = [...new Set([...before.keys(), ...now.keys()])]
    .sort()
    .find((each) => `${before.get(each)}` !== `${now.get(each)}`);
  if (path === undefined) return {};
  if (!now.has(path)) return { path, found: "no file" };
  return { path: shown(path), found: before.has(path) ? "other content or mode" : "a file too many" };
}
