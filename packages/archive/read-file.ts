import type { PackageFile } from "./files.ts";
import { closeFolder, type OpenFolder, openFolder, openSubfolder, readFileIn } from "./open-folder.ts";
import { checkPath } from "./path.ts";

/**
 * One regular file below a folder, no link followed on the way (E_FOLDER_…), of at most `maxBytes` (E_ARCHIVE_TOO_LARGE). The path is
 * one that an archive could hold, but that names may be hidden: they are the caller's to leave out.
 */
export function readFileBelow(dir: string, path: string, maxBytes: number): Omit<PackageFile, "path"> {
  const segments = path.split("/");
  checkPath(segments.map((segment) => segment.replace(/^\.(?!\.?$)/, "")).join("/"));
  const opened: OpenFolder[] = [openFolder(dir)];
  try {
    const name = segments.pop() ?? "";
    const folder = segments.reduce((parent, segment) => {
      const inner = openSubfolder(parent, segment);
      opened.push(inner);
      return inner;
    }, opened[0] as OpenFolder); // it was just put there
    return readFileIn(folder, name, maxBytes);
  } finally {
    for (const folder of opened) closeFolder(folder);
  }
}
