import { isFault } from "@hookpkg/fault";
import { decodeUtf8 } from "@hookpkg/spec";
import { refuse } from "./faults.ts";
import { type Files, sortFiles } from "./files.ts";
import { closeFolder, type OpenFolder, openFolder, readFileIn } from "./open-folder.ts";
import { checkFiles } from "./pack.ts";
import { checkPath, isNeverPacked } from "./path.ts";
import { walk } from "./walk.ts";

const IGNORE_FILE = ".hookpkgignore";
const MAX_IGNORE_BYTES = 16 * 1024;
/** Each star multiplies the time that a pattern may take on one path. */
const MAX_STARS_PER_LINE = 6;

/**
 * Station 1, the files' half: every regular file below `dir` except hidden ones, node_modules, package.json, *.lock and what
 * `.hookpkgignore` (gitignore syntax) lists. A link or special file among them, or `dir` itself being a link, is a fault
 * (E_FOLDER_…); so is whatever an archive may not hold (E_ARCHIVE_…), so that what was read here can be packed.
 */
export async function readFolder(dir: string): Promise<Files> {
  const root = openFolder(dir);
  try {
    const isIgnored = await readIgnoreFile(root);
    const wanted = (path: string, name: string) => !isNeverPacked(name) && !isIgnored(path);
    const { files } = await walk(root, wanted, checkPath);
    const sorted = sortFiles(files);
    checkFiles(sorted);
    return sorted;
  } finally {
    closeFolder(root);
  }
}

async function readIgnoreFile(root: OpenFolder): Promise<(path: string) => boolean> {
  const patterns = ignoreText(root);
  if (patterns === undefined) return () => false;
  const many = patterns.split("\n").find((line) => (line.match(/\*+/g) ?? []).length > MAX_STARS_PER_LINE);
  if (many !== undefined) throw refuse("E_FOLDER_IGNORE_FILE", { line: many.slice(0, 200), limit: MAX_STARS_PER_LINE });
  const { default: ignore } = await import("ignore");
  const rules = ignore({ ignorecase: false }).add(patterns);
  // The library throws on what is no relative path; such a name is refused by the path rules right after.
  return (path) => ignore.isPathValid(path) && rules.ignores(path);
}

function ignoreText(root: OpenFolder): string | undefined {
  try {
    return decodeUtf8(readFileIn(root, IGNORE_FILE, MAX_IGNORE_BYTES).bytes);
  } catch (error) {
    if (isFault(error, "E_FOLDER_MISSING")) return undefined;
    throw refuse("E_FOLDER_IGNORE_FILE", { path: IGNORE_FILE }, error);
  }
}
