import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Replaces a file so that it is, after any crash, wholly the old or wholly the new one, and the new one once this answers. */
export async function writeWhole(path: string, bytes: Uint8Array | string, mode: number): Promise<void> {
  const temp = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await withFile(temp, "wx", mode, async (file) => {
      await file.writeFile(bytes);
      await file.sync();
    });
    await rename(temp, path);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes what interrupted `writeWhole`s left in a folder. Only when none can be running. */
export async function clearTemps(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.endsWith(".tmp")) await rm(join(folder, name), { force: true });
}

/** Makes renames and new names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  await withFile(path, "r", 0, (folder) => folder.sync());
}

async function withFile(
  path: string,
  flags: string,
  mode: number,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}
