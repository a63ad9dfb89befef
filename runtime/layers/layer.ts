import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { localFolder } from "../gate/project-files.ts";
import { type ReadPackage, readLocalPackage } from "../gate/stored-package.ts";
import type { Home } from "../home.ts";
import { type Project, USER } from "../person/projects.ts";

/** Where handlers come from that were never published: a person's own, a project's, and one's own in a project. */
export type LayerSource = "layer:user" | "layer:project" | "layer:local";

export type Layer = { source: LayerSource } & ({ found: ReadPackage } | { fault: string });

const PROJECT_LAYERS = { "layer:project": ".hookpkg/hooks", "layer:local": ".hookpkg/hooks.local" } as const;
const DECLARATIONS = ["hooks.json", "hooks.toml"];

export function isLayer(source: string): source is LayerSource {
  return source === "layer:user" || Object.hasOwn(PROJECT_LAYERS, source);
}

/** The layers of a place that declare something, each read and hashed now, in the order of the chain. */
export async function readLayers(home: Home, place: Project | typeof USER): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const [source, folder] of foldersOf(home, place)) {
    try {
      const path = folder();
      if (declares(path)) layers.push({ source, found: await readLocalPackage(path) });
    } catch (error) {
      if (!isFault(error)) throw error;
      layers.push({ source, fault: error.code });
    }
  }
  return layers;
}

function foldersOf(home: Home, place: Project | typeof USER): [LayerSource, () => string][] {
  if (place === USER) return [["layer:user", () => join(home.config, "hooks")]];
  return Object.entries(PROJECT_LAYERS).map(([source, folder]) => [
    source as LayerSource, // a key of the literal
    () => (isThere(join(place.root, folder)) ? localFolder(place.root, `file:./${folder}`) : ""),
  ]);
}

/** A link is there, too: it is refused by who opens it. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A folder without declarations is an absent layer, not a broken one. */
export function declares(folder: string): boolean {
  return folder !== "" && DECLARATIONS.some((name) => existsSync(join(folder, name)));
}
