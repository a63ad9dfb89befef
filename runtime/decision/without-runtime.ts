import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { matches } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readApprovers } from "../person/approvers.ts";
import { BEFORE_TOOLS, closedAnywhere, closedIds, type Guard, isSafeMode, readClosed } from "../person/closed.ts";
import { USER } from "../person/projects.ts";

/** `why` is a sentence for the model; `by` the guards that were to be asked. */
export type Plain = { refuse: false } | { refuse: true; by: readonly string[]; why: string };

/**
 * The decision when the engine can't start, read or finish: from `closed/<project>.json` alone. `projects` are ids;
 * not known: any guarded tool call of this person is refused. An event that is not known is any tool call, subjects that are not
 * known are whatever a guard of the event minds. Absent for a registered project, or unreadable: closed for tool
 * calls. Never throws.
 */
export function decideWithoutRuntime(
  home: Home,
  projects: readonly string[] | undefined,
  event: string | undefined,
  subjects: readonly string[] | undefined,
): Plain {
  try {
    if (projects === undefined) return maybeGuarded(home) ? unknown(event) : { refuse: false };
    const isSafe = projects.some((project) => isInSafeMode(home, project));
    const guards = [...projects, ...(isSafe ? [] : [USER])].flatMap((project) => guardsIn(home, project));
    if (guards.includes("unknown") && isToolCall(event)) return unknown(event);
    const by = guards.flatMap((guard) =>
      guard !== "unknown" && isGuarded(guard, event, subjects) ? [guard.handler] : [],
    );
    return by.length === 0 ? { refuse: false } : { refuse: true, by, why: `${by.join(", ")}: ${SENTENCE}` };
  } catch {
    return unknown(event);
  }
}

const SENTENCE = "this guard could not be asked, so the action is refused";

/** Of nothing that is known it must be said that it is none. */
function isToolCall(event: string | undefined): boolean {
  return event === undefined || BEFORE_TOOLS.includes(event);
}

function unknown(event: string | undefined): Plain {
  return isToolCall(event) ? { refuse: true, by: [], why: `hookpkg: ${SENTENCE}` } : { refuse: false };
}

/** A host is attached or something was approved, and not one closed file is left of those that every project has from its first day. */
function maybeGuarded(home: Home): boolean {
  if (closedAnywhere(home)) return true;
  const isInUse = () => existsSync(join(home.state, "attached.json")) || readApprovers(home).signed === true;
  return closedIds(home).length === 0 && isInUse();
}

/** A file that cannot be read switches nothing off. */
function isInSafeMode(home: Home, project: string): boolean {
  try {
    return isSafeMode(home, project);
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

function guardsIn(home: Home, project: string): (Guard | "unknown")[] {
  try {
    const guards = readClosed(home, project);
    if (guards !== undefined) return [...guards];
    return project === USER ? [] : ["unknown"];
  } catch (error) {
    if (isFault(error)) return ["unknown"];
    throw error;
  }
}

function isGuarded(guard: Guard, event: string | undefined, subjects: readonly string[] | undefined): boolean {
  if (event === undefined) return isToolCall(guard.event);
  if (guard.event !== event) return false;
  if (subjects === undefined) return true;
  try {
    return matches(guard.matcher, subjects);
  } catch {
    return true; // a matcher that can't be used still guards its event
  }
}
