import { type Approval, isIdentity, type ProjectApprovals } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readApprovals } from "./approvals.ts";
import { USER } from "./projects.ts";
import { allSessions } from "./sessions.ts";

export type Announced = { handler: string; decided: Approval["decided"]; how: Approval["how"]; at: string };

/**
 * Decisions that were recorded since the last session in one of these projects began, oldest first: told at the start of the next one, so
 * that no consent is given behind a person's back. All of them when there was no session yet.
 */
export async function decidedSince(
  home: Home,
  projects: readonly string[],
  now: { host: string; session: string },
): Promise<Announced[]> {
  const earlier = allSessions(home)
    .filter((session) => session.host !== now.host || session.session !== now.session)
    .filter((session) => session.projects.some((project) => projects.includes(project)))
    .map((session) => Date.parse(session.firstSeen));
  const since = Math.max(0, ...earlier);
  const read = await readApprovals(home);
  if (read.read !== "signed") return [];
  return [...projects, USER]
    .flatMap((project) => Object.entries(decisionsIn(read.projects[project])))
    .filter(([, entry]) => !(Date.parse(entry.at) <= since))
    .map(([name, { decided, how, at }]) => ({ handler: plainName(name), decided, how, at }))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

type Decided = Pick<Approval, "decided" | "how" | "at">;

function decisionsIn(approvals: ProjectApprovals | undefined): Readonly<Record<string, Decided>> {
  const { entries = {}, orderDecided } = approvals ?? {};
  return { ...entries, ...(orderDecided === undefined ? {} : { "the order of its hooks": orderDecided }) };
}

/** Rejections are kept under the name and the identity. */
function plainName(key: string): string {
  const at = key.lastIndexOf("@hk1:");
  return at > 0 && isIdentity(key.slice(at + 1)) ? key.slice(0, at) : key;
}
