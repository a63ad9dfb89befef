import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { isFault, isSystem } from "@hookpkg/fault";
import { type Policy, parseStateFile, policySchema } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Outside } from "../outside.ts";
import { readOwn } from "./state-file.ts";

const NO_POLICY: Policy = { v: 1, managed: [] };

/**
 * What this machine's policy makes run. Absent means that there is none; a policy (or its folder) that somebody else than
 * root could have written, or that is faulty, is E_POLICY: nobody can tell what it would have said.
 */
export function readPolicy(outside: Outside): Policy {
  const { policyFile: file, policyOwner: owner } = outside;
  try {
    if (!folderIsOwn(dirname(file), owner)) return NO_POLICY;
    const bytes = readOwn(file, owner);
    return bytes === undefined ? NO_POLICY : parseStateFile(policySchema, file, bytes);
  } catch (cause) {
    throw isFault(cause, "E_POLICY")
      ? cause
      : refuse("E_POLICY", { file, found: isFault(cause) ? cause.code : "" }, cause);
  }
}

/** False when the folder is absent. */
function folderIsOwn(folder: string, owner: number): boolean {
  try {
    const stat = lstatSync(folder);
    if (!stat.isDirectory() || stat.uid !== owner || (stat.mode & 0o022) !== 0)
      throw refuse("E_POLICY", { folder, owner: stat.uid, mode: (stat.mode & 0o7777).toString(8) });
    return true;
  } catch (cause) {
    if (isSystem(cause, "ENOENT")) return false;
    throw cause;
  }
}
