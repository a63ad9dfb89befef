import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type PrivateKey, signApprovals, verifyApprovals } from "@hookpkg/signing";
import { type Approvals, type Approvers, approvalsSchema, type ProjectApprovals } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readApprovers } from "./approvers.ts";
import { closedIds, readClosed } from "./closed.ts";
import { readProjects } from "./projects.ts";
import { readState, writeState } from "./state-file.ts";

export type ProjectSet = Readonly<Record<string, ProjectApprovals>>;

/**
 * What the approvals say. `absent`: nothing was ever approved on this machine; `unreadable`: something may have been, and
 * nobody can tell what (missing, faulty, or signed by a key that is not on the person's list).
 */
export type ApprovalsRead =
  | { read: "signed"; projects: ProjectSet; kind: "person" | "automation" }
  | { read: "absent" }
  | { read: "unreadable"; why: string; file: string };

/** Reads and verifies approvals.json against keys/approvers.json. Never throws: what can't be read is said, not skipped. */
export async function readApprovals(home: Home): Promise<ApprovalsRead> {
  try {
    const approvals = readState(approvalsSchema, approvalsFile(home));
    if (approvals === undefined) return wasNeverWritten(home) ? { read: "absent" } : missing(home);
    const { keys } = readApprovers(home);
    if (verified?.approvals !== approvals || verified.keys !== keys) await verifyApprovals(approvals, keys);
    verified = { approvals, keys };
    const kind = keys.find((key) => key.id === approvals.key)?.kind ?? "automation";
    return { read: "signed", projects: approvals.projects, kind };
  } catch (error) {
    // The list of keys is read with them: it is as often what is broken.
    const file = isFault(error) && typeof error.facts.file === "string" ? error.facts.file : approvalsFile(home);
    return { read: "unreadable", why: isFault(error) ? error.code : "E_STATE_UNREADABLE", file };
  }
}

/** The last ones whose signature held, as `readState` gives them: the same objects are the same bytes, and cannot be changed. */
let verified: { approvals: Approvals; keys: Approvers["keys"] } | undefined;

/** Signs and writes the whole set. The caller holds the lock of `approvalsLock`. */
export async function writeApprovals(home: Home, projects: ProjectSet, signer: PrivateKey): Promise<void> {
  const signed = await signApprovals({ v: 1 as const, projects }, signer);
  writeState(home, approvalsFile(home), signed satisfies Approvals);
}

export function approvalsLock(home: Home): string {
  return join(home.state, "approvals.lock");
}

/**
 * Projects are registered before anything is approved in them, each with a closed file that is empty until then. So a missing
 * set is a beginning only while every project on record has that empty file and no listed key ever signed one.
 */
function wasNeverWritten(home: Home): boolean {
  if (readApprovers(home).signed) return false;
  const ids = Object.keys(readProjects(home).projects);
  if (existsSync(join(home.state, "attached.json")) && ids.length === 0) return false;
  return [...new Set([...ids, ...closedIds(home)])].every((id) => readClosed(home, id)?.length === 0);
}

function missing(home: Home): ApprovalsRead {
  return { read: "unreadable", why: "E_APPROVALS_ABSENT", file: approvalsFile(home) };
}

function approvalsFile(home: Home): string {
  return join(home.state, "approvals.json");
}
