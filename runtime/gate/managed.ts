import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Identity, isSha256, type Policy, type Sha256, sha256Schema } from "@hookpkg/spec";
import { z } from "zod";
import type { Home } from "../home.ts";
import { readState, writeState } from "../person/state-file.ts";
import { effectiveOptions } from "./options.ts";
import type { Approved, GateProblem } from "./runnable.ts";
import { optionSpecs, readStoredPackage } from "./stored-package.ts";

const MAX_TREES_SEARCHED = 5000;
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
  const key = `${name} ${identity}`;
  const hints = readHints(home);
  const last = Object.hasOwn(hints, key) ? hints[key] : undefined;
  for (const tree of last ? [last, ...treesOf(home)] : treesOf(home)) {
    const found = await approvedIn(home, tree, name, identity);
    if (found === undefined) continue;
    if (tree !== last) writeHints(home, { ...hints, [key]: tree });
    return found;
  }
  return undefined;
}

const hintsSchema = z.record(z.string().max(400), sha256Schema);

/** Where an identity was found last. Only a shortcut: the bytes are hashed again whenever they are used. */
function readHints(home: Home): Readonly<Record<string, Sha256>> {
  try {
    return readState(hintsSchema, hintsFile(home)) ?? {};
  } catch {
    return {};
  }
}

function writeHints(home: Home, hints: Readonly<Record<string, Sha256>>): void {
  try {
    writeState(home, hintsFile(home), hints, { flush: false });
  } catch {
    // the next event searches again
  }
}

function hintsFile(home: Home): string {
  return join(home.cache, "managed.json");
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
