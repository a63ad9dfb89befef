import { basename, dirname } from "node:path";
import type { Files } from "@hookpkg/archive";
import type { HookSource } from "@hookpkg/hosts";
import { refuse } from "../faults.ts";
import { type Declaring, isThere, type Json } from "./declaring.ts";
import { hooksFolder, pluginFolder } from "./plugin.ts";
import { projectFolder, settingsFile, settingsFolder } from "./settings.ts";

/** Somebody's hooks as they were found: whose, which files declare them, and what else is there. */
export type Source = {
  /** Where files are looked for, and where relative words of a command lead. */
  root: string;
  host: HookSource;
  /** Of a plugin or extension. */
  manifest?: { file: string; value: Json };
  /** Hook files and settings, in the order in which the host reads them; the manifest is not among them. */
  declaring: readonly Declaring[];
  /** A plugin's own files; undefined where hooks stand among things that are not theirs. */
  files?: Files;
};

/** A kind of source: what of it is in this folder, undefined for nothing. `said`: the host that the person named. */
export type Kind = (folder: string, said: HookSource | undefined) => Promise<Source | undefined>;

/** Every kind of folder, in the order in which it is looked for. */
const FOLDERS: readonly Kind[] = [pluginFolder, hooksFolder, settingsFolder, projectFolder];

/**
 * Whose hooks these are, and where they stand. E_SOURCE_NONE where nothing declares any, E_SOURCE_HOST where more than one host could
 * have written them. Nothing is executed.
 */
export async function openSource(path: string, said: HookSource | undefined): Promise<Source> {
  const isFile = isThere(dirname(path), basename(path));
  const found = isFile ? await fileSource(path, said) : await folderSource(path, said);
  if (found === undefined) throw refuse("E_SOURCE_NONE", { path });
  return found;
}

async function folderSource(folder: string, said: HookSource | undefined): Promise<Source | undefined> {
  for (const kind of FOLDERS) {
    const found = await kind(folder, said);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A manifest, or the hook file of a plugin, stands for all of it. */
async function fileSource(path: string, said: HookSource | undefined): Promise<Source | undefined> {
  const [folder, name] = [dirname(path), basename(path)];
  const isPluginHooks = basename(folder) === "hooks" && name === "hooks.json";
  for (const [root, file] of [
    [folder, name],
    [dirname(folder), `${basename(folder)}/${name}`],
  ] as const) {
    const plugin = await pluginFolder(root, said);
    if (plugin !== undefined && (plugin.manifest?.file === file || (isPluginHooks && root !== folder))) return plugin;
  }
  return isPluginHooks ? hooksFolder(dirname(folder), said) : settingsFile(folder, name, said);
}
