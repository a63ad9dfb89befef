import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pack, placeTree, treePath } from "@hookpkg/archive";
import { isFault } from "@hookpkg/fault";
import { handlerName } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { effectiveOptions } from "../gate/options.ts";
import type { Approved, GateProblem } from "../gate/runnable.ts";
import { optionSpecs, readLocalPackage } from "../gate/stored-package.ts";
import type { Home } from "../home.ts";
import type { Outside } from "../outside.ts";
import { declares } from "./layer.ts";

export const MANAGED_LAYER = "layer:managed";
const MAX_ENTRIES = 5000;

/**
 * `refused`: somebody else than root may write there, so it is as good as absent, visibly. `broken`: it is the machine's, and what it
 * guards cannot be read.
 */
export type ManagedLayer = {
  handlers: readonly Approved[];
  refused?: GateProblem;
  broken?: GateProblem;
};

/** The machine's own handlers, which need no approval because nobody but root can have put them there. */
export async function managedLayer(
  home: Home,
  at: { project: string; projectRoot: string },
  { managedHooks: folder, policyOwner }: Outside,
): Promise<ManagedLayer> {
  if (!declares(folder)) return { handlers: [] };
  try {
    checkOwner(dirname(folder), policyOwner);
    checkOwners(folder, policyOwner);
  } catch (error) {
    if (isFault(error)) return { handlers: [], refused: { code: error.code, facts: { folder } } };
    throw error;
  }
  try {
    const { tree, files, spec, identities } = await readLocalPackage(folder);
    // Like any package it runs from the store, so what is handed to the sandbox is what was hashed.
    if (!existsSync(treePath(home.store, tree))) await placeTree(home.store, pack(files));
    const { values } = effectiveOptions(optionSpecs(spec));
    const handlers = identities.map(
      ({ id, identity, normalForm }): Approved => ({
        ...{ name: handlerName(MANAGED_LAYER, id), source: MANAGED_LAYER, id, tier: "managed", state: "managed" },
        ...{ identity, normalForm, tree, options: values, ...at },
      }),
    );
    return { handlers };
  } catch (error) {
    if (isFault(error)) return { handlers: [], broken: { code: error.code, facts: { folder } } };
    throw error;
  }
}

function checkOwners(folder: string, owner: number, left = { entries: MAX_ENTRIES }): void {
  checkOwner(folder, owner);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (left.entries-- <= 0) throw refuse("E_LAYER_OWNER", { folder, limit: MAX_ENTRIES });
    const path = join(folder, entry.name);
    if (entry.isDirectory()) checkOwners(path, owner, left);
    else checkOwner(path, owner);
  }
}

function checkOwner(path: string, owner: number): void {
  const { uid, mode } = lstatSync(path);
  if (uid !== owner || (mode & 0o022) !== 0)
    throw refuse("E_LAYER_OWNER", { path, owner: uid, mode: (mode & 0o7777).toString(8) });
}
