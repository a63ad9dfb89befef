import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Identity, isSha256, type Policy, type Sha256 } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { effectiveOptions } from "./options.ts";
import type { Approved, GateProblem } from "./runnable.ts";
import { optionSpecs, readStoredPackage } from "./stored-package.ts";

const MAX_TREES_SEARCHED = 5000;
/** Where an identity was found last. Only a shortcut: the bytes are hashed again whenever they are used. */
const seen = new Map<string, Approved>();

/**
 * The handlers that the machine's policy names, with the package's own defaults for options: nothing that a person or a project
 * says changes or switches off what they do. They are looked for in the whole store, so no lock is needed to find them.
 */
export async function managedHandlers(
  home: Home,
  policy: Policy,
  at: { project: string; projectRoot: string },
): Promise<{ handlers: Approved[]; missing: GateProblem[] }> {
  const handlers: Approved[] = [];
  const missing: GateProblem[] = [];
  for (const { handler, identity } of policy.managed) {
    const found = await findInStore(home, handler, identity);
    if (found) handlers.push({ ...found, ...at });
    else missing.push({ code: "E_GATE_MANAGED_MISSING", facts: { handler, identity } });
  }
  return { handlers, missing };
}

async function findInStore(home: Home, name: string, identity: Identity): Promise<Approved | undefined> {
  const key = JSON.stringify([home.store, name, identity]);
  const last = seen.get(key);
  for (const tree of last ? [last.tree] : treesOf(home)) {
    const found = await approvedIn(home, tree, name, identity);
    if (found === undefined) continue;
    seen.set(key, found);
    return found;
  }
  return last; // it was there a moment ago: the gate will say what became of its bytes
}

async function approvedIn(home: Home, tree: Sha256, name: string, identity: Identity): Promise<Approved | undefined> {
  const [source = "", id = ""] = name.split("#");
  try {
    const { spec, identities } = await readStoredPackage(home.store, tree);
    const handler = identities.find((found) => found.id === id && found.identity === identity);
    if (handler === undefined || ("manifest" in spec && spec.manifest.name !== source)) return undefined;
    return {
      ...{ name: `${source}#${id}` as const, source, id, tier: "managed", state: "managed", identity, tree },
      ...{ normalForm: handler.normalForm, options: effectiveOptions(optionSpecs(spec)).values },
      ...{ project: "managed", projectRoot: "/" },
    };
  } catch (error) {
    if (isFault(error)) return undefined; // a broken tree of the store is not what the policy names
    throw error;
  }
}

function treesOf(home: Home): Sha256[] {
  if (!existsSync(home.store)) return [];
  return readdirSync(join(home.store))
    .map((name) => `sha256:${name}`)
    .filter((name): name is Sha256 => isSha256(name))
    .slice(0, MAX_TREES_SEARCHED);
}
