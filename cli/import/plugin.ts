import { type Files, readFolder } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { HOOK_SOURCES, type HookSource } from "@hookpkg/hosts";
import { isThere, readDeclaring } from "./declaring.ts";
import type { Source } from "./source.ts";
import { ambiguous, hostOfWords } from "./whose.ts";

export const PLUGIN_HOOKS = "hooks/hooks.json";

/** A plugin or extension: its manifest, and hooks/hooks.json where it has one. */
export async function pluginFolder(root: string, said: HookSource | undefined): Promise<Source | undefined> {
  const found = manifestIn(root, said);
  if (found === undefined) return undefined;
  const { host, file } = found;
  const [manifest] = await readDeclaring(root, [file], host);
  const declaring = await readDeclaring(root, isThere(root, PLUGIN_HOOKS) ? [PLUGIN_HOOKS] : [], host);
  return { root, host, manifest: { file, value: manifest?.settings ?? {} }, declaring, files: await filesIn(root) };
}

/** The same without a manifest: who wrote it is told by its words, or by the person. */
export async function hooksFolder(root: string, said: HookSource | undefined): Promise<Source | undefined> {
  if (!isThere(root, PLUGIN_HOOKS)) return undefined;
  const host = said ?? hostOfWords(await readDeclaring(root, [PLUGIN_HOOKS]), root);
  return { root, host, declaring: await readDeclaring(root, [PLUGIN_HOOKS], host), files: await filesIn(root) };
}

/** What a package could hold of it; hooks may stand in the manifest, and be all that there is. */
async function filesIn(root: string): Promise<Files> {
  try {
    return await readFolder(root);
  } catch (error) {
    if (isFault(error, "E_ARCHIVE_EMPTY")) return [];
    throw error;
  }
}

/** By the manifest that only one host has, or by the first that the host which was named reads. */
function manifestIn(root: string, said: HookSource | undefined): { host: HookSource; file: string } | undefined {
  if (said !== undefined) {
    const file = said.manifests.find((one) => isThere(root, one));
    return file === undefined ? undefined : { host: said, file };
  }
  const found = HOOK_SOURCES.flatMap((host) =>
    host.ownManifest !== undefined && isThere(root, host.ownManifest) ? [{ host, file: host.ownManifest }] : [],
  );
  // A plugin.json at the root has a name that anybody may use: any other manifest says more.
  const telling = found.length > 1 ? found.filter(({ file }) => file.includes("-")) : found;
  if (telling.length > 1)
    throw ambiguous(
      telling.map(({ host }) => host),
      { path: root },
    );
  return telling[0];
}
