import { existsSync } from "node:fs";
import { join } from "node:path";
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
import { isLocalKey, LOCK_FILE, PROJECT_FILE, type Sha256 } from "@hookpkg/spec";
import { commandText, shellWord } from "../command-text.ts";
import { earlyVariables, earlyVariableText } from "../host/project-environment.ts";
import { readProjectFiles } from "../project/files.ts";
import { problemText } from "../trust/broken.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";

/** Each registered project: its files can be read, and what was approved in it is whole in the store. */
export async function projectChecks(home: Home): Promise<Check[]> {
  let projects: Project[];
  try {
    projects = projectsOf(readProjects(home));
  } catch (error) {
    const file = fileOf(error, join(home.state, "projects.json"));
    return [failed("projects", error, setAside(file, "then, in each project: hookpkg init, and hookpkg approve"))];
  }
  const checks: Check[] = [works("projects", `${projects.length} registered`)];
  const approvals = await readApprovals(home);
  for (const project of projects) {
    if (!existsSync(project.root)) continue; // a project that is gone guards nothing
    try {
      checks.push(...(await wishes(home, project)));
    } catch (error) {
      const file = fileOf(error, "");
      if (file.startsWith(home.config)) continue; // a check of the person's own files names it
      checks.push(failed(`project ${project.root}`, error, `mend ${file || "what is named"}`));
    }
    const entries = approvals.read === "signed" ? (approvals.projects[project.id]?.entries ?? {}) : {};
    const trees = Object.values(entries).filter(({ decided }) => decided === "approved");
    for (const early of earlyVariables(project.root))
      checks.push(
        broken(`variables of ${project.root}`, earlyVariableText(early), `take them out of ${shellWord(early.file)}`),
      );
    checks.push(await stored(home, project, [...new Set(trees.map(({ tree }) => tree))]));
  }
  return checks;
}

async function wishes(home: Home, project: Project): Promise<Check[]> {
  const name = `lock of ${project.root}`;
  const files = projectFiles(name, project.root);
  if (files !== undefined) return [files];
  const set = await approvedSet(home, [project], REAL_OUTSIDE);
  const unordered = orderHandlers(set.handlers, new Set(set.off.map(({ handler }) => handler.name))).problems;
  const { proposals, problems } = await readProposals(home, project);
  const inOrder = commandText("hookpkg", "order", "--project", project.root);
  const checks = [
    ...unordered.map((problem) => broken(name, problemText(problem), inOrder)),
    ...problems.map((problem) => broken(name, problemText(problem), mendOf(problem, project.root))),
  ];
  return checks.length > 0 ? checks : [works(name, `${proposals.length} handlers proposed`)];
}

/** The two files that a checkout brings. A lock is made anew from what the project file wishes; that one only its author knows. */
function projectFiles(name: string, root: string): Check | undefined {
  try {
    readProjectFiles(root);
    return undefined;
  } catch (error) {
    const file = fileOf(error, join(root, LOCK_FILE));
    const install = commandText("hookpkg", "install", "--project", root);
    if (file === join(root, LOCK_FILE))
      return failed(name, error, `${commandText("mv", file, `${file}.broken`)} && ${install}`);
    return failed(name, error, `mend ${shellWord(file)} where it is named, or restore it from git`);
  }
}

/** What takes a problem of a proposal away: not everything is mended by an install. */
function mendOf({ code, facts }: GateProblem, root: string): string {
  const { package: source, option, name } = facts;
  const file = shellWord(join(root, PROJECT_FILE));
  if (code === "E_OPTION") return `mend the option ${option} of ${source} in ${file} or in your config.json`;
  if (code === "E_ORDER_REFERENCE") return `take ${name} out of "order" in ${file}`;
  if (source === undefined || !isLocalKey(source)) return commandText("hookpkg", "install", "--project", root);
  const folder = join(root, source.slice("file:".length));
  if (existsSync(folder)) return commandText("hookpkg", "validate", folder);
  return `${commandText("hookpkg", "uninstall", source, "--project", root)}  (or bring the folder back)`;
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
  return broken(name, lost.join("; "), commandText("hookpkg", "install", "--project", root));
}
