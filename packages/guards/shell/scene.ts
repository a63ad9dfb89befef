import { type State, startState } from "./state.ts";
import { ANY, BELOW, isKnown, SCRAMBLED } from "./unknown.ts";

/** Where a command runs. */
export type Scene = {
  /** Absolute paths. `home` is the home folder of the person. */
  cwd: string;
  project: string;
  home: string;
  /** Where a link leads, as it is written in the link; undefined for what is no link. */
  link: (path: string) => string | undefined;
};

const MAX_LINKS = 16;
/** No system takes longer paths. */
const MAX_PATH_CHARS = 4096;

/** Where a container's own file system is put: below /tmp, since it goes with the container. */
const CONTAINER = "/tmp/.container";

/** The home folder that belongs to a path below it. */
export function homeOf(path: string): string {
  const names = path.split("/");
  const top = names.findIndex((name) => name === "home" || name === "Users");
  return top >= 0 && (names[top + 1] ?? "") !== "" ? names.slice(0, top + 2).join("/") : "/root";
}

/**
 * The absolute path that a word names: links followed (the last name's own only on demand), `.` and `..` resolved as the
 * kernel would. It starts with ANY where not even its beginning is known.
 */
export function absolute(scene: Scene, state: State, path: string, follow: "all" | "parents" = "all"): string {
  if (path === "") return "";
  if (path.startsWith(ANY) || path.startsWith(SCRAMBLED) || path.length > MAX_PATH_CHARS) return ANY;
  const start = path.startsWith("/") ? inMount(state, path) : `${state.cwd}/${path}`;
  if (start.startsWith(ANY)) return ANY;
  const last = follow === "all" || path.endsWith("/") || path.endsWith("/.");
  return walk(scene, state, start, { followLast: last, links: MAX_LINKS });
}

/** The absolute path that a file tool's field names. */
export function pathIn(scene: Scene, path: string, follow: "all" | "parents" = "all"): string {
  return absolute(scene, startState(scene.cwd), path, follow);
}

function walk(scene: Scene, state: State, path: string, how: { followLast: boolean; links: number }): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const done: string[] = [];
  for (const [index, name] of names.entries()) {
    if (name === "..") {
      // Above what is not known anything may lie.
      const top = done.pop();
      if (top?.includes(ANY) || top?.includes(BELOW)) return ANY;
      continue;
    }
    done.push(name);
    if (index === names.length - 1 && !how.followLast) break;
    const here = `/${done.join("/")}`;
    const target = isKnown(name) ? linkAt(scene, state, here) : undefined;
    if (target === undefined) continue;
    if (how.links === 0) return ANY;
    const rest = names.slice(index + 1).join("/");
    const base = target.startsWith("/") ? target : `/${done.slice(0, -1).join("/")}/${target}`;
    return walk(scene, state, `${base}/${rest}`, { ...how, links: how.links - 1 });
  }
  return `/${done.join("/")}`;
}

function linkAt(scene: Scene, state: State, path: string): string | undefined {
  const made = state.links.get(path);
  if (made !== undefined || state.isRemote || state.mounts !== undefined) return made;
  return isBelow(path, scene.project) ? scene.link(path) : undefined;
}

function inMount(state: State, path: string): string {
  if (state.mounts === undefined) return path;
  const mount = state.mounts.find(({ at }) => at === "/" || path === at || path.startsWith(`${at}/`));
  if (mount === undefined) return `${CONTAINER}${path}`;
  return mount.from + (mount.at === "/" ? path : path.slice(mount.at.length));
}

/** Strictly below. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "/" ? path.length > 1 : path.startsWith(`${folder}/`);
}
