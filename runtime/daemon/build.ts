import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** How this program starts itself again, and what tells its build from every other. */
export type OwnProgram = { words: readonly string[]; build: string };

/**
 * The compiled binary is its own build: two files are two builds. From source the build is the newest of our files, so that a daemon
 * does not answer with code that was changed since. `main` is the entry's path, `version` the manifest's.
 */
export function ownProgram(main: string, version: string): OwnProgram {
  const { dev, ino, size, mtimeMs } = statSync("/proc/self/exe");
  const binary = `${version} ${dev}:${ino}:${size}:${mtimeMs}`;
  if (main.startsWith("/$bunfs/")) return { words: [process.execPath], build: binary };
  const words = [process.execPath, "--config=/dev/null", "--no-env-file", "--no-install", main];
  return { words, build: `${binary} ${newest(dirname(dirname(main)))}` };
}

const ROOMS = ["cli", "runtime", "packages"];

function newest(root: string): number {
  let found = 0;
  const folders = ROOMS.map((room) => join(root, room));
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
      else if (entry.isFile() && /\.(ts|js)$/.test(entry.name)) found = Math.max(found, statSync(path).mtimeMs);
    }
  }
  return found;
}
