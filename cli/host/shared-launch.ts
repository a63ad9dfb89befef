import { accessSync, constants } from "node:fs";
import { dirname, join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { sharedPlaces } from "@hookpkg/hosts";
import { homeFolders } from "@hookpkg/runtime";
import { commandText } from "../command-text.ts";

/** Where a project's entries look on this machine. `isProgram`: whether a path can be started. */
export type Launching = { home: string | undefined; isProgram: (path: string) => boolean };

/** The command after which a project's entries find hookpkg here; undefined when they do. Until then they refuse every tool call. */
export function launchMend({ home, isProgram }: Launching = ofThisPerson()): string | undefined {
  const places = sharedPlaces(home ?? "");
  if (places.some(isProgram)) return undefined;
  const place = (home === undefined ? places[0] : places.at(-1)) ?? "";
  const link = `${commandText("mkdir", "-p", dirname(place))} && ${commandText("ln", "-sf", compiled(), place)}`;
  return isCompiled() ? link : `${commandText("npm", "run", "build", "--prefix", SOURCE)} && ${link}`;
}

/** Whether this very program is the one binary, or bun with the source. */
export function isCompiled(): boolean {
  return import.meta.path.startsWith("/$bunfs/");
}

const SOURCE = join(import.meta.dir, "..", "..");

function compiled(): string {
  return isCompiled() ? process.execPath : join(SOURCE, "dist", "hookpkg");
}

/** Whatever `--home` says: an entry in a project knows nothing of it. */
function ofThisPerson(): Launching {
  try {
    return { home: homeFolders().base, isProgram };
  } catch (error) {
    if (isFault(error)) return { home: undefined, isProgram };
    throw error;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
