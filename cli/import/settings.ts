import { basename, dirname } from "node:path";
import { HOOK_SOURCES, type HookSource } from "@hookpkg/hosts";
import { isThere, readDeclaring } from "./declaring.ts";
import type { Source } from "./source.ts";
import { ambiguous, hostOfFolder, hostOfWords } from "./whose.ts";

/** Files with hooks in a folder of settings; where both of the first are there, a host reads JSON first. */
const NAMES = ["hooks.json", "config.toml", "settings.json"];

/** A host's own folder of settings, or one that was copied out of it. */
export async function settingsFolder(folder: string, said: HookSource | undefined): Promise<Source | undefined> {
  const names = NAMES.filter((name) => isThere(folder, name));
  return names.length === 0 ? undefined : filesOf(folder, names, said);
}

/** One file of settings or hooks. */
export function settingsFile(folder: string, name: string, said: HookSource | undefined): Promise<Source> {
  return filesOf(folder, [name], said);
}

/** A project in whose folder one host has settings. */
export async function projectFolder(root: string, said: HookSource | undefined): Promise<Source | undefined> {
  const found = HOOK_SOURCES.map((host) => ({ host, files: projectFiles(root, host) })).filter(
    ({ host, files }) => files.length > 0 && (said === undefined ? host.settings.runs === undefined : host === said),
  );
  if (found.length > 1)
    throw ambiguous(
      found.map(({ host }) => host),
      { path: root },
    );
  const [one] = found;
  return one && { root, host: one.host, declaring: await readDeclaring(root, one.files, one.host) };
}

function projectFiles(root: string, { settings }: HookSource): string[] {
  return settings.reads.flatMap(({ scope, path }) => (scope === "project" && isThere(root, path) ? [path] : []));
}

/** Commands start from the project: in a host's own folder that is the one above. */
async function filesOf(folder: string, names: readonly string[], said: HookSource | undefined): Promise<Source> {
  const own = hostOfFolder(folder);
  const host = said ?? own ?? hostOfWords(await readDeclaring(folder, names), folder);
  const root = own === undefined ? folder : dirname(folder);
  const files = names.map((name) => (own === undefined ? name : `${basename(folder)}/${name}`));
  return { root, host, declaring: await readDeclaring(root, files, host) };
}
