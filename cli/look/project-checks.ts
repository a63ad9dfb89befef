import { existsSync } from "node:fs";
import { readTree } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { type Home, type Project, projectsOf, readApprovals, readProjects, readProposals } from "@hookpkg/runtime";
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
  const { proposals, problems } = await readProposals(home, project);
  if (problems.length === 0) return works(name, `${proposals.length} handlers proposed`);
  const found = problems.map(({ code, facts }) => `${Object.values(facts).join(" ")} [${code}]`).join("; ");
  return broken(name, found, `hookpkg install --project ${project.root}`);
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
