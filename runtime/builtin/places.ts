import { realpathSync } from "node:fs";
import { join } from "node:path";
import { ANY, BELOW, isKnown, matches, ONE, SCRAMBLED, STAR } from "@guards/shell";
import { HOST_SETTINGS } from "@hookpkg/hosts";
import type { Home } from "../home.ts";

/** What happens to a path: `write` is any change of what it names, the others take along all that lies below. */
export type Op = "write" | "delete" | "move";

/** What a call must not change without a person. All in lower case: on some disks `.CLAUDE` is `.claude`. */
export type Places = {
  /** Absolute: whoever writes in there writes hookpkg's own. */
  folders: readonly (readonly string[])[];
  /** Last names of a path, in any folder: settings of hosts, a project's own folder. `whole`: all below it as well. */
  tails: readonly { names: readonly string[]; whole: boolean; what: "settings" | "folder" }[];
  bases: readonly (readonly string[])[];
  /** Absolute: what lies in a folder for temporary files is nobody's settings, unless it is below one of these. */
  roots: readonly (readonly string[])[];
  /** Absolute: deleting or moving what they lie in takes them along. A whole home or disk is no aim at hookpkg, and other guards' to mind. */
  inside: readonly (readonly string[])[];
};

export type Found = { what: "settings" | "folder" | "above" };

/** `roots`: the projects that the event belongs to. */
export function placesOf(home: Home, roots: readonly string[]): Places {
  const folders = [home.config, home.state, home.data, home.cache, "/etc/hookpkg"].flatMap(bothWays);
  const bases = bothWays(home.base);
  const hosts = HOST_SETTINGS.flatMap(({ folder }) => bases.map((base) => join(base, folder)));
  const projects = roots.flatMap(bothWays).map((root) => join(root, OWN_FOLDER));
  const files = HOST_SETTINGS.flatMap(({ reads }) => reads.map(({ path }) => path));
  const extensions = HOST_SETTINGS.flatMap(({ personal }) => (personal.kind === "file" ? [] : [personal.path]));
  return {
    folders: folders.map(namesOf),
    tails: [
      { names: [OWN_FOLDER], whole: true, what: "folder" },
      ...extensions.map((path) => ({ names: namesOf(path), whole: true, what: "settings" as const })),
      ...[...new Set(files)].map((path) => ({ names: namesOf(path), whole: false, what: "settings" as const })),
    ],
    roots: roots.flatMap(bothWays).map(namesOf),
    bases: bases.map(namesOf),
    inside: [...folders, ...hosts, ...projects].map(namesOf),
  };
}

const OWN_FOLDER = ".hookpkg";

/** As it is named, and where it lies. */
function bothWays(path: string): string[] {
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    return [path]; // not there yet
  }
}

function namesOf(path: string): string[] {
  return path
    .toLowerCase()
    .split("/")
    .filter((name) => name !== "");
}

/** Whether a change of this path concerns one of the places. The path is absolute and may hold signs of unknown. */
export function placeAt({ folders, tails, roots, bases, inside }: Places, path: string, op: Op): Found | undefined {
  const names = namesOf(path);
  if (folders.some((folder) => names.length >= folder.length && fitsAt(folder, names, 0, op)))
    return { what: "folder" };
  if (TEMPORARY.test(path) && !roots.some((root) => fitsAt(root, names, 0, op))) return undefined;
  const tail = tails.find((one) => hasTail(one, names, op));
  if (tail !== undefined) return { what: tail.what };
  if (op === "write") return undefined;
  const holds = (folder: readonly string[]) =>
    names.length <= folder.length && fitsAt(folder.slice(0, names.length), names, 0, op);
  if (bases.some(holds)) return undefined;
  const takesAlong =
    inside.some(holds) || tails.some((one) => one.names.length > 1 && endsWith(one.names.slice(0, -1), names, op));
  return takesAlong ? { what: "above" } : undefined;
}

const TEMPORARY = /^\/(private\/)?(var\/)?tmp\//;

function hasTail({ names: wanted, whole }: Places["tails"][number], names: readonly string[], op: Op): boolean {
  if (!whole) return endsWith(wanted, names, op);
  for (let at = 0; at + wanted.length <= names.length; at++) if (fitsAt(wanted, names, at, op)) return true;
  return false;
}

function endsWith(wanted: readonly string[], names: readonly string[], op: Op): boolean {
  return names.length >= wanted.length && fitsAt(wanted, names, names.length - wanted.length, op);
}

function fitsAt(wanted: readonly string[], names: readonly string[], at: number, op: Op): boolean {
  return wanted.every((name, index) =>
    fits(names[at + index] ?? "", name, at + index < names.length - 1 ? "write" : op),
  );
}

/** `op` of the last name: what a glob or a search stands for counts there. Nothing can be said of a name that is wholly unknown: asking there would be asking everywhere. */
function fits(name: string, wanted: string, op: Op): boolean {
  if (isKnown(name)) return name === wanted;
  if ([...name].every((sign) => sign === ANY || sign === SCRAMBLED || sign === ONE)) return false;
  if ([...name].every((sign) => sign === STAR || sign === BELOW || sign === ANY))
    return op !== "write" && (name.includes(BELOW) || !wanted.startsWith("."));
  return !(wanted.startsWith(".") && !name.startsWith(".")) && matches(name, wanted);
}
