import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../faults.ts";

export type Loan = { giveBack(): void };

const MAX_LENT_FILES = 20_000;

/**
 * As root the sandbox runs as another user, who could not write what root owns. The place belongs to that user for the
 * length of one run; everything of that user's goes to the place's owner afterwards. Links and second names are left alone.
 */
export function lend(place: string, uid: number): Loan {
  const owner = lstatSync(place);
  for (const path of tree(place, MAX_LENT_FILES)) {
    const found = lstatSync(path);
    if (found.uid === owner.uid && (found.isDirectory() || (found.isFile() && found.nlink === 1)))
      lchownSync(path, uid, uid);
  }
  return {
    giveBack() {
      for (const path of tree(place, Number.POSITIVE_INFINITY))
        if (lstatSync(path).uid === uid) lchownSync(path, owner.uid, owner.gid);
    },
  };
}

function tree(place: string, maxFiles: number): string[] {
  const paths = [place];
  for (const at of paths) {
    if (!lstatSync(at).isDirectory()) continue;
    for (const name of readdirSync(at)) paths.push(join(at, name));
    if (paths.length > maxFiles) throw refuse("E_RUN_WRITE_SIZE", { place, maxFiles });
  }
  return paths;
}
