import { lchownSync, lstatSync, type Stats } from "node:fs";
import { isProtectedName } from "./protected-names.ts";
import { walk } from "./tree.ts";

export type Loan = { giveBack(): void };

/** How often it is tried while somebody else moves folders about. */
const TRIES = 3;

/**
 * As root the sandbox runs as another user, who could not write what root owns. The place belongs to that user for the
 * length of one run; everything of that user's goes to the place's owner afterwards. Links and second names are left alone.
 */
export function lend(place: string, uid: number): Loan {
  const owner = lstatSync(place);
  const isLent = (found: Stats) =>
    found.uid === owner.uid && (found.isDirectory() || (found.isFile() && found.nlink === 1));
  const loan = { giveBack: () => retried(() => giveBack(place, uid, owner)) };
  try {
    if (isLent(owner)) lchownSync(place, uid, uid);
    if (owner.isDirectory())
      walk(place, ({ at, name, found }) => {
        if (isProtectedName(name)) return false;
        if (isLent(found)) lchownSync(at, uid, uid);
        return true;
      });
  } catch (cause) {
    loan.giveBack();
    throw cause;
  }
  return loan;
}

function giveBack(place: string, uid: number, owner: Stats): void {
  const found = lstatSync(place);
  if (found.uid === uid) lchownSync(place, owner.uid, owner.gid);
  if (!found.isDirectory()) return;
  walk(place, (met) => {
    if (met.found.uid === uid) lchownSync(met.at, owner.uid, owner.gid);
    return true;
  });
}

function retried(step: () => void, triesLeft = TRIES): void {
  try {
    step();
  } catch (cause) {
    if (triesLeft <= 1) throw cause;
    retried(step, triesLeft - 1);
  }
}
