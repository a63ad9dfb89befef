import { ANY, BELOW, isBelow, matches, ONE, type Scene, STAR, type State, shown } from "@guards/shell";

/** Where nothing is meant to last. */
const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/dev/shm"];

/** Device files that nothing can be lost in. */
const HARMLESS_DEVICE = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|std(in|out|err)|(fd|pts|tcp|udp)\/.*)$/;

/** Files that many programs depend on: writing over one is a loss even where adding a file would be none. */
const SYSTEM = /^\/(etc|bin|sbin|boot|lib\w*|usr\/(bin|sbin|lib\w*))(\/|$)/;
const OF_A_PERSON = /^\/(\.[^/]+|\.(ssh|gnupg|aws|kube|config)\/.+)$/;

/** Says what is lost when a path is deleted or emptied; undefined when nothing is that can't be made again. */
export function lossOf(scene: Scene, state: State, path: string): string | undefined {
  if (path === "") return undefined;
  if (path.startsWith(ANY)) return "its target can't be known before it runs";
  if (path.startsWith("/dev/") && !path.startsWith("/dev/shm/")) {
    return HARMLESS_DEVICE.test(path) ? undefined : `${shown(path)} is a device`;
  }
  if (!state.isRemote && scene.project !== "") {
    if (isBelow(path, scene.project)) return lossInProject(scene.project, path);
    if (path === scene.project) return "that is the project itself";
    if (isBelow(scene.project, path)) return "the project lies below it";
  }
  if (isScratch(path, scene)) return undefined;
  if (path === scene.home) return "that is the home folder";
  if (isBelow(path, scene.home)) return "it is in the home folder, outside the project";
  return state.isRemote ? "it is on another machine" : "it is outside the project";
}

/** Below a temporary folder, unless a home or the project's neighbours lie there as well. */
function isScratch(path: string, { project, home }: Scene): boolean {
  if (path === home || isBelow(path, home)) return false;
  const around = project.slice(0, project.lastIndexOf("/"));
  return TEMPORARY.some((folder) => isBelow(path, folder) && !(isBelow(around, folder) && isBelow(path, around)));
}

function lossInProject(project: string, path: string): string | undefined {
  const names = path.slice(project.length + 1).split("/");
  const isAll = names.every((name) => /^[\uE000\uE001\uE003\uE004]+$/.test(name) || name === "");
  if (isAll) return "that is everything in the project";
  const git = names.findIndex((name) => name === ".git" || (couldBeHidden(name) && matches(name, ".git")));
  if (git < 0) return undefined;
  // A lock that a crashed git left behind is removed by hand.
  return names.length > git + 1 && path.endsWith(".lock") ? undefined : "the project's history is in .git";
}

/** A `*` or `?` in front does not match a name that starts with a dot. */
function couldBeHidden(name: string): boolean {
  const isPattern = [ANY, STAR, ONE].some((sign) => name.includes(sign));
  return isPattern && !name.startsWith(STAR) && !name.startsWith(ONE) && !name.startsWith(BELOW) && name !== ANY;
}

/** Says what is wrong with writing over a file by copying, linking or downloading. */
export function overwriteOf(scene: Scene, state: State, path: string): string | undefined {
  if (path.startsWith("/dev/") && !path.startsWith("/dev/shm/")) return lossOf(scene, state, path);
  if (isBelow(path, scene.home) && OF_A_PERSON.test(path.slice(scene.home.length))) {
    return lossOf(scene, state, path);
  }
  return SYSTEM.test(path) ? `${shown(path)} belongs to the system` : undefined;
}

/** Says what is changed when modes or owners below a path are set; the project's own may be. */
export function reachOf(scene: Scene, state: State, path: string): string | undefined {
  if (!state.isRemote && (path === scene.project || isBelow(path, scene.project))) return undefined;
  return lossOf(scene, state, path);
}
