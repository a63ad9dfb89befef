import { statSync } from "node:fs";
import { inRange } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import manifest from "../package.json" with { type: "json" };
import type { Verified } from "./verify.ts";

/** Where a handler's programs are looked for: a project can't change it, unlike PATH. */
const PROGRAM_FOLDERS = ["/usr/local/bin", "/usr/bin", "/bin"];

/** What a package needs of this machine must be here before it is placed; E_REQUIRES names what is missing. */
export function refuseUnmet({ key, spec }: Verified): void {
  const { hookpkg, programs } = spec.manifest.requires;
  if (hookpkg !== undefined && !inRange(manifest.version, hookpkg))
    throw refuse("E_REQUIRES", { package: key, expected: `hookpkg ${hookpkg}`, found: manifest.version });
  for (const program of programs)
    if (!PROGRAM_FOLDERS.some((folder) => isProgram(`${folder}/${program}`)))
      throw refuse("E_REQUIRES", { package: key, expected: program, found: `none in ${PROGRAM_FOLDERS.join(":")}` });
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
