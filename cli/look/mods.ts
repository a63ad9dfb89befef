import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { CommandData } from "@hookpkg/spec";
import { pluginFolders, textOf } from "./hook-files.ts";

export type Mod = CommandData["hooks"]["mods"][number];

const MAX_MODS = 100;
/** Where plugins of Claude Code are kept, and where a person or a project keeps mods of their own. */
const PLUGINS = { folder: ".claude/plugins/cache", depth: 3 };
const OWN = ".claude/mods";
const SOURCE = /\.(ts|js|mjs)$/;

/**
 * Mods of Claude Code: code in its own process that registers for its events. One that registers for `tool.call` stands outside every
 * hook: it may change a call before hookpkg sees it, and hookpkg's refusal after. Found by their sources; nothing is loaded.
 */
export function modsOf(base: string, root: string): Mod[] {
  const folders = [
    ...[base, root].map((folder) => join(folder, OWN)),
    ...pluginFolders(join(base, PLUGINS.folder), PLUGINS.depth).map((folder) => join(folder, "mods")),
  ];
  return [...new Set(folders)].flatMap(sources).slice(0, MAX_MODS).flatMap(modIn);
}

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return SOURCE.test(entry.name) && !/\.test\./.test(entry.name) ? [path] : [];
    return ["index.ts", "index.js", "mod.ts", "mod.js"]
      .map((name) => join(path, name))
      .filter((file) => existsSync(file));
  });
}

function modIn(file: string): Mod[] {
  const text = textOf(file);
  if (text === undefined || !/\bregister\b/.test(text)) return [];
  const name = basename(file).replace(SOURCE, "");
  return [{ name, file, gates: /["'`](tool\.call|tool\.\*)["'`]|\bon\s*\(\s*[^"'`\s]/.test(text) }];
}
