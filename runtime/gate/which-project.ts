import type { Session } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { type Project, projectsAround, projectsOf, readProjects } from "../person/projects.ts";

/** Where an event says that it comes from; each of them as text from outside. */
export type Whereabouts = {
  /** `--project` in the entry. */
  flag?: string;
  /** The host's own variable, such as CLAUDE_PROJECT_DIR. */
  hostFolder?: string;
  session?: Session;
  cwd: string;
};

/** `beside`: roots of projects that the event's folder lies in and that are not asked, because its session began in others. */
export type Found = { root: string; projects: readonly Project[]; beside?: readonly string[] };

/**
 * The registered projects of an event, outermost first: by the entry's flag, else the host's variable, else the
 * root pinned at the session's first event, else the cwd; the first of these that lies in any. Projects that this session was
 * seen in before stay in its chain, wherever it goes. A lock is never searched for.
 */
export function whichProjects(home: Home, { flag, hostFolder, session, cwd }: Whereabouts): Found {
  const starts = [flag, hostFolder, session?.root, cwd].filter((start) => start !== undefined);
  let found: Found = { root: starts[0] ?? cwd, projects: [] };
  for (const root of starts) {
    const projects = projectsAround(home, root);
    if (projects.length === 0) continue;
    found = { root, projects };
    break;
  }
  const pinned = projectsOf(readProjects(home)).filter(
    (project) => session?.projects.includes(project.id) && !found.projects.some(({ id }) => id === project.id),
  );
  const projects = [...pinned, ...found.projects];
  const beside = flag === undefined && hostFolder === undefined && found.root !== cwd ? projectsAround(home, cwd) : [];
  const others = beside.filter(({ id }) => !projects.some((project) => project.id === id)).map(({ root }) => root);
  return { root: found.root, projects, ...(others.length > 0 ? { beside: others } : {}) };
}
