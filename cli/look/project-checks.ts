import { existsSync } from "node:fs";
import { readTree } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import {
  approvedSet,
  type GateProblem,
  type Home,
  orderHandlers,
  type Project,
  projectsOf,
  REAL_OUTSIDE,
  readApprovals,
  readProjects,
  readProposals,
} from "@hookpkg/runtime";
import type { Sha256 } from "@hookpkg/spec";
import { broken, type Check, failed, works } from "./check.ts";

/** Each registered project: its files can be read, and what was approved in it is whole in the store. */
export async function projectChecks(home: Home): Promise<Check[]> {
  let projects: Project[];
  try {
    projects = projectsOf(readProjects(home));
  } catch (error) {
    return [failed("projects", error, `mend or restore ${home.state}/projects.json`)];
  }
  const checks: Check[] = [works("projects", `${projects.length} registered`)];
  const approvals = await readApprovals(home);
  for (const project of projects) {
    if (!existsSync(project.root)) continue; // a project that is gone guards nothing
    checks.push(await wishes(home, project));
    const entries = approvals.read === "signed" ? (approvals.projects[project.id]?.entries ?? {}) : {};
    const trees = Object.values(entries).filter(({ decided }) => decided === "approved");
    checks.push(await stored(home, project, [...new Set(trees.map(({ tree }) => tree))]));
  }
  return checks;
}

async function wishes(home: Home, project: Project): Promise<Check> {
  const name = `lock of ${project.root}`;
  const set = await approvedSet(home, [project], REAL_OUTSIDE);
  const unordered = orderHandlers(set.handlers, new Set(set.off.map(({ handler }) => handler.name))).problems;
  if (unordered.length > 0) return broken(name, problemText(unordered), `hookpkg order --project ${project.root}`);
  const { proposals, problems } = await readProposals(home, project);
  if (problems.length === 0) return works(name, `${proposals.length} handlers proposed`);
  return broken(name, problemText(problems), `hookpkg install --project ${project.root}`);
}

function problemText(problems: readonly GateProblem[]): string {
  return problems.map(({ code, facts }) => `${Object.values(facts).join(" ")} [${code}]`).join("; ");
}

async function stored(home: Home, { root }: Project, trees: readonly Sha256[]): Promise<Check> {
  const name = `approved bytes of ${root}`;
  const lost: string[] = [];
  for (const tree of trees)
    try {
      await readTree(home.store, tree);
    } catch (error) {
      if (!isFault(error)) throw error;
      lost.push(`${tree} [${error.code}]`);
    }
  if (lost.length === 0) return works(name, `${trees.length} packages whole in the store`);
  return broken(name, lost.join("; "), `hookpkg install --project ${root}`);
}
