import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from "node:fs";
import { isSystem } from "@hookpkg/fault";
import { refuse } from "../faults.ts";

/** Something in a folder. `at` leads to it while it is looked at, however deep it lies; `path` is for people, below the folder. */
export type Met = { at: Buffer; name: string; path(): string; found: Stats };

/** `force`: folders that are closed to us are opened. */
export type WalkOptions = { force?: boolean };

type Level = { id: string; name: string; names: Buffer[] };

/**
 * Meets everything below a folder, depth first, and goes down where `meet` says so; links are never followed. It holds a folder at a time by
 * its descriptor: a path could be too long for the kernel, or lead elsewhere a moment later.
 */
export function walk(folder: string, meet: (met: Met) => boolean, { force = false }: WalkOptions = {}): void {
  let fd = opened(Buffer.from(folder), force);
  const above: Level[] = [];
  let level = levelOf(fd, "");
  try {
    for (;;) {
      const name = level.names.pop();
      if (name !== undefined) {
        const at = Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
        const found = lstatSync(at, { throwIfNoEntry: false });
        const text = name.toString();
        const path = () =>
          [...above.slice(1), level]
            .map((one) => one.name)
            .concat(text)
            .join("/")
            .replace(/^\//, "");
        if (found === undefined || !meet({ at, name: text, path, found }) || !found.isDirectory()) continue;
        const below = opened(at, force);
        closeSync(fd);
        fd = below;
        above.push(level);
        level = levelOf(fd, text);
      } else {
        const back = above.pop();
        if (back === undefined) return;
        const up = opened(Buffer.from(`/proc/self/fd/${fd}/..`), false);
        closeSync(fd);
        fd = up;
        if (idOf(fstatSync(fd)) !== back.id)
          throw refuse("E_RUN_WRITE_LEFT", { folder, moved: level.name.slice(0, 200) });
        level = back;
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** The same for one thing under all its names. */
export function idOf({ dev, ino }: Pick<Stats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

function levelOf(fd: number, name: string): Level {
  return { id: idOf(fstatSync(fd)), name, names: readdirSync(`/proc/self/fd/${fd}`, { encoding: "buffer" }) };
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function opened(at: Buffer, force: boolean): number {
  try {
    return openSync(at, FOLDER);
  } catch (cause) {
    if (!force || !isSystem(cause, "EACCES")) throw cause;
    chmodSync(at, 0o700);
    return openSync(at, FOLDER);
  }
}
