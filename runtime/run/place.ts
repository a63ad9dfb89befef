import { realpathSync } from "node:fs";

/** Is it the folder itself, or below it? Both are absolute and normal. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** Where a path really leads; undefined when that is nowhere. */
export function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // absent, or not ours to look at: not shown either
  }
}
