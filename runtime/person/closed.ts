import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Closed, closedSchema, type ProjectApprovals } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readState, removeState, writeState } from "./state-file.ts";

export type Guard = Closed["guards"][number];

/** Events at which a tool can still be stopped: what `closed/any` speaks of. */
export const BEFORE_TOOLS: readonly string[] = ["PreToolUse", "PermissionRequest"];

/** What closed handlers guard in a project (or for "user"); undefined when the file is absent. */
export function readClosed(home: Home, id: string): readonly Guard[] | undefined {
  return readState(closedSchema, closedFile(home, id))?.guards;
}

export function writeClosed(home: Home, id: string, guards: readonly Guard[], safeMode = false): void {
  writeState(home, closedFile(home, id), { v: 1, guards, ...(safeMode ? { safeMode } : {}) });
}

/** Whether the person switched off all that is theirs in this project, what they installed for all of them too. */
export function isSafeMode(home: Home, id: string): boolean {
  return readState(closedSchema, closedFile(home, id))?.safeMode === true;
}

/** Whether any approved closed handler guards a tool call somewhere: what a host's entry asks when hookpkg is dead. */
export function closedAnywhere(home: Home): boolean {
  return existsSync(anyFile(home));
}

/** Says so before it is true and takes it back after it is no longer: a kill between leaves the stricter answer. */
export function markClosedAnywhere(home: Home, guards: readonly Guard[]): void {
  const guardsTools = guards.some((guard) => BEFORE_TOOLS.includes(guard.event));
  if (guardsTools && !closedAnywhere(home)) writeState(home, anyFile(home), {});
  if (!guardsTools) removeState(anyFile(home));
}

/** Ids of every closed file: what is left to go by when the list of projects is lost. */
export function closedIds(home: Home): string[] {
  const folder = join(home.state, "closed");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => /^([a-z0-9]+)\.json$/.exec(name)?.[1] ?? []);
}

/** Guards of the approved closed handlers; none of those that the person switched off. */
export function guardsOf(approvals: ProjectApprovals | undefined): Guard[] {
  if (approvals?.safeMode !== undefined) return [];
  return Object.entries(approvals?.entries ?? {}).flatMap(([handler, { decided, normalForm }]) =>
    decided === "approved" && normalForm.failMode === "closed"
      ? [{ handler, event: normalForm.event, matcher: normalForm.matcher }]
      : [],
  );
}

function closedFile(home: Home, id: string): string {
  return join(home.state, "closed", `${id}.json`);
}

function anyFile(home: Home): string {
  return join(home.state, "closed", "any");
}
