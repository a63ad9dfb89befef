import { statSync } from "node:fs";
import { isFault } from "@hookpkg/fault";
import {
  grantedPlace,
  type Home,
  type Project,
  projectsOf,
  readApprovals,
  readProjects,
  sandboxOf,
} from "@hookpkg/runtime";
import type { Capabilities } from "@hookpkg/spec";
import { commandText } from "../command-text.ts";
import { broken, type Check, works } from "./check.ts";

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/**
 * As root, handlers run as a user of their own: what an approved one may read must be readable by others, or it finds the folder and cannot
 * open it. Nothing to check where handlers run as the person.
 */
export async function readingChecks(home: Home): Promise<Check[]> {
  const sandbox = await sandboxOf(home, process.execPath);
  if (!sandbox.available || sandbox.host.mode.kind !== "root") return [];
  const { uid } = sandbox.host.mode;
  const approvals = await readApprovals(home);
  if (approvals.read !== "signed") return []; // other checks say why
  return registered(home).flatMap(({ id, root }) => {
    const entries = Object.values(approvals.projects[id]?.entries ?? {});
    const granted = entries
      .filter(({ decided }) => decided === "approved")
      .flatMap(({ normalForm }) => grantedPaths(normalForm.capabilities, { root, base: home.base }));
    const shut = [...new Set(granted)].flatMap((path) => shutFor(path, uid));
    if (granted.length === 0) return [];
    return shut.length > 0 ? shut : [works(`reading in ${root}`, `uid ${uid} can read what handlers were granted`)];
  });
}

function registered(home: Home): readonly Project[] {
  try {
    return projectsOf(readProjects(home));
  } catch (error) {
    if (isFault(error)) return []; // another check names it
    throw error;
  }
}

function grantedPaths({ project, read }: Capabilities, { root, base }: { root: string; base: string }): string[] {
  const places = read.flatMap((path) => grantedPlace(path, { home: base, project: root }) ?? []);
  return [...(project === "read" ? [root] : []), ...places];
}

/** What is not there is no matter of rights: a handler finds nothing, as it would anywhere. */
function shutFor(path: string, uid: number): Check[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.uid === uid) return [];
  const needed = found.isDirectory() ? OTHERS_READ | OTHERS_ENTER : OTHERS_READ;
  if ((found.mode & needed) === needed) return [];
  const mode = (found.mode & 0o7777).toString(8);
  const text = `mode ${mode}: handlers run as uid ${uid}, and what they were granted there they cannot read`;
  return [broken(`reading ${path}`, text, commandText("chmod", found.isDirectory() ? "o+rx" : "o+r", path))];
}
