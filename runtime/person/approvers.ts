import { join } from "node:path";
import { keyIdOf, type PrivateKey, type PublicKey, rawPublicKey, vetPublicKey } from "@hookpkg/signing";
import { type Approvers, approversSchema } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import { withLock } from "./file-lock.ts";
import { readState, writeState } from "./state-file.ts";

export type ApproverKind = Approvers["keys"][number]["kind"];

/** Keys that may sign this person's approvals; absent means none. Never read from a project. */
export function readApprovers(home: Home): Approvers {
  return readState(approversSchema, approversFile(home)) ?? { v: 1, keys: [] };
}

/**
 * Lists a key. Freely while the list is empty; afterwards only with an opened, listed person's key (E_APPROVERS_KEY). The key
 * is vetted first. Listing the same key again changes nothing.
 */
export async function addApprover(
  home: Home,
  key: { public: PublicKey; kind: ApproverKind },
  vouching?: PrivateKey,
): Promise<void> {
  await vetPublicKey(rawPublicKey(key.public));
  await withLock(home, join(home.config, "keys", "approvers.lock"), () => {
    const { keys, ...rest } = readApprovers(home);
    if (keys.some((listed) => listed.public === key.public && listed.kind === key.kind)) return;
    const vouched = keys.some((listed) => listed.public === vouching?.public && listed.kind === "person");
    if (keys.length > 0 && !vouched) throw refuse("E_APPROVERS_KEY", { listed: keys.length });
    const others = keys.filter((listed) => listed.public !== key.public);
    writeState(home, approversFile(home), { ...rest, keys: [...others, { id: keyIdOf(key.public), ...key }] });
  });
}

/** Says beside the keys that one of them has signed approvals: from here on missing approvals are lost ones. */
export async function markSigned(home: Home): Promise<void> {
  if (readApprovers(home).signed) return;
  await withLock(home, join(home.config, "keys", "approvers.lock"), () => {
    const approvers = readApprovers(home);
    if (!approvers.signed) writeState(home, approversFile(home), { ...approvers, signed: true });
  });
}

function approversFile(home: Home): string {
  return join(home.config, "keys", "approvers.json");
}
