import { randomBytes } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Approvals, approvalsSchema, type Projects, projectsSchema } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { readClosed, writeClosed } from "./closed.ts";
import { withLock } from "./file-lock.ts";
import { readRegular } from "./regular-file.ts";
import { readState, writeState } from "./state-file.ts";

/** A registered project: its random id is the person's, never read from the project. */
export type Project = { id: string; root: string; commonDir?: string };

/** What a person's approvals for all of their projects are kept under. */
export const USER = "user";

/** Those on the list, and those that only the approvals still name, with their roots: a list that was lost hides no project. */
export function readProjects(home: Home): Projects {
  const listed = readState(projectsSchema, projectsFile(home))?.projects ?? {};
  const others = Object.entries(approvedRoots(home)).filter(([id]) => id !== USER && !Object.hasOwn(listed, id));
  return { v: 1, projects: { ...Object.fromEntries(others.map(([id, { root }]) => [id, { root }])), ...listed } };
}

function isListed(home: Home, id: string): boolean {
  return Object.hasOwn(readState(projectsSchema, projectsFile(home))?.projects ?? {}, id);
}

/** Nothing is believed here but that there is a project, so no signature is looked at; what cannot be read is told by who needs it. */
function approvedRoots(home: Home): Approvals["projects"] {
  try {
    return readState(approvalsSchema, join(home.state, "approvals.json"))?.projects ?? {};
  } catch (error) {
    if (isFault(error)) return {};
    throw error;
  }
}

/**
 * Registers a folder at the first init, install or approve, and gives its project. Known already by its real path or by its
 * git common dir: nothing changes, so worktrees share one project. Its closed file is there before the project is.
 */
export async function registerProject(home: Home, folder: string): Promise<Project> {
  return withLock(home, join(home.state, "projects.lock"), () => {
    const root = realpathSync(folder);
    const commonDir = commonDirOf(root);
    const all = readProjects(home);
    const known = projectsOf(all).find((project) => isSame(project, root, commonDir));
    if (known !== undefined) {
      if (readClosed(home, known.id) === undefined) writeClosed(home, known.id, []);
      if (!isListed(home, known.id)) writeState(home, projectsFile(home), all);
      return { ...known, root };
    }
    const id = randomBytes(16).toString("hex");
    writeClosed(home, id, []);
    const entry = { root, ...(commonDir === undefined ? {} : { commonDir }) };
    writeState(home, projectsFile(home), { v: 1, projects: { ...all.projects, [id]: entry } });
    return { id, ...entry };
  });
}

/** The registered project of exactly this folder (or a worktree of it). */
export function projectAt(home: Home, folder: string): Project | undefined {
  const root = realPath(folder);
  if (root === undefined) return undefined;
  const commonDir = commonDirOf(root);
  const known = projectsOf(readProjects(home)).find((project) => isSame(project, root, commonDir));
  return known && { ...known, root };
}

/**
 * Every registered project that the folder lies in, outermost first: above it, above its git main worktree, and the one
 * whose worktree it is. What the project's own files say can only add to the answer, never hide a project.
 */
export function projectsAround(home: Home, folder: string): Project[] {
  const start = realPath(folder);
  if (start === undefined) return [];
  const worktree = worktreeOf(start);
  const above = new Set(ancestors(start));
  const mainAbove = new Set(worktree === undefined ? [] : ancestors(dirname(worktree.commonDir)));
  return projectsOf(readProjects(home))
    .flatMap((project): Project[] => {
      if (above.has(project.root)) return [project];
      if (worktree !== undefined && project.commonDir === worktree.commonDir)
        return [{ ...project, root: worktree.root }];
      return mainAbove.has(project.root) ? [project] : [];
    })
    .sort((a, b) => a.root.length - b.root.length || (a.root < b.root ? -1 : 1));
}

export function projectsOf(all: Projects): Project[] {
  return Object.entries(all.projects).map(([id, { root, commonDir }]) => ({
    id,
    root,
    ...(commonDir === undefined ? {} : { commonDir }),
  }));
}

function isSame(project: Project, root: string, commonDir: string | undefined): boolean {
  return project.root === root || (commonDir !== undefined && project.commonDir === commonDir && isTop(root));
}

/** A folder inside a repository is a project of its own; only a worktree's top shares one. */
function isTop(root: string): boolean {
  return worktreeOf(root)?.root === root;
}

function commonDirOf(root: string): string | undefined {
  const worktree = worktreeOf(root);
  return worktree?.root === root ? worktree.commonDir : undefined;
}

/** The git worktree that a folder lies in: its top and the real path of the common dir. Nothing is run for that. */
function worktreeOf(start: string): { root: string; commonDir: string } | undefined {
  for (const root of ancestors(start)) {
    const git = join(root, ".git");
    try {
      const stat = lstatSync(git);
      const commonDir = stat.isDirectory() ? git : linkedCommonDir(git);
      return { root, commonDir: realpathSync(commonDir) };
    } catch {
      // none here, or not one that can be read: look further up
    }
  }
  return undefined;
}

const MAX_POINTER_BYTES = 8192;

/**
 * A worktree's `.git` file names its git dir, whose `commondir` file names the shared one. Anybody can write both into a folder of their
 * own, so the shared one must know this worktree, as git wants it: its `worktrees/X/gitdir` names that very `.git`.
 */
function linkedCommonDir(file: string): string {
  const gitDir = realpathSync(resolve(dirname(file), /^gitdir: (.+)$/m.exec(pointer(file))?.[1] ?? ""));
  const commonDir = realpathSync(resolve(gitDir, pointer(join(gitDir, "commondir")).trim()));
  const back = realpathSync(resolve(gitDir, pointer(join(gitDir, "gitdir")).trim()));
  if (dirname(gitDir) !== join(commonDir, "worktrees") || back !== file) throw new Error("no worktree of it");
  return commonDir;
}

function pointer(file: string): string {
  return new TextDecoder().decode(readRegular(file, MAX_POINTER_BYTES));
}

/** The folder itself first, the root of the disk last. */
function ancestors(folder: string): string[] {
  const found = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) found.push(dirname(at));
  return found;
}

/** Of the nearest folder that is there: an event's cwd may have been removed. */
function realPath(folder: string): string | undefined {
  for (const at of ancestors(resolve(folder)))
    try {
      return realpathSync(at);
    } catch {
      // not there: its parent
    }
  return undefined;
}

function projectsFile(home: Home): string {
  return join(home.state, "projects.json");
}
