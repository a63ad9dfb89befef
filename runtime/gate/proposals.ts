import { isFault } from "@hookpkg/fault";
import {
  type HandlerName,
  handlerName,
  type Identity,
  isLocalKey,
  type LockEntry,
  type NormalForm,
} from "@hookpkg/spec";
import type { Home } from "../home.ts";
import { type Layer, readLayers } from "../layers/layer.ts";
import { readConfig } from "../person/config.ts";
import { type Project, USER } from "../person/projects.ts";
import { type EffectiveOptions, effectiveOptions } from "./options.ts";
import { localFolder, projectWishes, userWishes, type Wishes } from "./project-files.ts";
import { type OrderWish, proposedOrder } from "./proposed-order.ts";
import type { GateProblem } from "./runnable.ts";
import { optionSpecs, type ReadPackage, readLocalPackage, readStoredPackage } from "./stored-package.ts";

/** A handler that the lock and the project file propose to run. `readable` ones can be approved. */
export type Proposal = {
  name: HandlerName;
  source: string;
  id: string;
  version: string;
  identity: Identity;
} & (
  | {
      readable: true;
      normalForm: NormalForm;
      package: ReadPackage;
      options: EffectiveOptions;
      /** The package's defaults and the person's own, as they would be if the project said nothing. */
      ownOptions: EffectiveOptions;
    }
  | { readable: false; why: string }
);

/** `known`: the lock could be read, so what is not in it was dropped. */
export type Proposals = {
  proposals: readonly Proposal[];
  /** The source order that is proposed with them, `proposedOrder` of it. */
  order: OrderWish;
  known: boolean;
  problems: readonly GateProblem[];
};

/** Whose handlers: a project's, or those installed for all of a person's projects. */
export type Place = Project | typeof USER;

export function placeId(place: Place): string {
  return place === USER ? USER : place.id;
}

/**
 * What is proposed here, each identity computed from the bytes: of the store, or of the project's folder for a local package.
 * What the lock says about identities is only compared.
 */
export async function readProposals(home: Home, place: Place): Promise<Proposals> {
  return proposalsOf(home, place, place === USER ? userWishes(home) : projectWishes(place.root));
}

/** The same for wishes that nobody has written down yet. */
export async function proposalsOf(home: Home, place: Place, wishes: Wishes): Promise<Proposals> {
  const problems: GateProblem[] = [];
  if (wishes.lockFault)
    problems.push({ code: wishes.lockFault, facts: { file: "lock.json", project: placeId(place) } });
  if (wishes.fileFault)
    problems.push({ code: wishes.fileFault, facts: { file: "project.json", project: placeId(place) } });
  const proposals: Proposal[] = [];
  for (const layer of await readLayers(home, place)) proposals.push(...layerProposals(home, layer, wishes, problems));
  for (const [source, entry] of Object.entries(wishes.lock.packages))
    proposals.push(...(await packageProposals(home, place, { source, entry, wishes }, problems)));
  const handlers = proposals.map((each) => ({ ...each, event: each.readable ? each.normalForm.event : undefined }));
  const order = { handlers, wish: wishes.file.order };
  for (const { event, name } of proposedOrder(order, undefined).dead)
    problems.push({ code: "E_ORDER_REFERENCE", facts: { file: "project.json", event, name } });
  return { proposals, order, known: wishes.lockFault === undefined, problems };
}

type Locked = { source: string; entry: LockEntry; wishes: Wishes };

async function packageProposals(
  home: Home,
  place: Place,
  locked: Locked,
  problems: GateProblem[],
): Promise<Proposal[]> {
  const { source, entry, wishes } = locked;
  const about = (id: string) => ({ name: handlerName(source, id), source, id, version: `${entry.version}` });
  let found: ReadPackage;
  try {
    found = await readProposed(home, place, source, entry);
  } catch (error) {
    if (!isFault(error)) throw error;
    problems.push({ code: error.code, facts: { package: source } });
    return Object.entries(entry.handlers).map(([id, identity]) => ({
      ...about(id),
      identity,
      readable: false,
      why: error.code,
    }));
  }
  if (!isLocalKey(source)) problems.push(...lockMismatches(source, entry, found));
  return readable(home, found, { source, wishes, version: `${entry.version}` }, problems);
}

/** A layer that can't be read proposes nothing, and what was approved of it goes on. */
function layerProposals(home: Home, layer: Layer, wishes: Wishes, problems: GateProblem[]): Proposal[] {
  const { source } = layer;
  if (!("found" in layer)) {
    problems.push({ code: layer.fault, facts: { layer: source } });
    return [];
  }
  const { found } = layer;
  const isDouble = found.spec.warnings.some(({ code }) => code === "W_TWO_SOURCES");
  if (isDouble) problems.push({ code: "W_TWO_SOURCES", facts: { layer: source } });
  return readable(home, found, { source, wishes, version: "" }, problems);
}

function readable(
  home: Home,
  found: ReadPackage,
  { source, wishes, version }: { source: string; wishes: Wishes; version: string },
  problems: GateProblem[],
): Proposal[] {
  const own = readConfig(home).options[source];
  const options = effectiveOptions(optionSpecs(found.spec), wishes.file.options[source], own);
  const ownOptions = effectiveOptions(optionSpecs(found.spec), own);
  for (const option of options.unusable) problems.push({ code: "E_OPTION", facts: { package: source, option } });
  return found.identities.map(({ id, identity, normalForm }) => ({
    ...{ name: handlerName(source, id), source, id, version, identity },
    ...{ readable: true, normalForm, package: found, options, ownOptions },
  }));
}

async function readProposed(home: Home, place: Place, source: string, entry: LockEntry): Promise<ReadPackage> {
  if (place !== USER && isLocalKey(source)) return readLocalPackage(localFolder(place.root, source));
  return readStoredPackage(home.store, entry.tree);
}

function lockMismatches(source: string, entry: LockEntry, found: ReadPackage): GateProblem[] {
  const computed = new Map(found.identities.map(({ id, identity }) => [id, identity]));
  const ids = new Set([...computed.keys(), ...Object.keys(entry.handlers)]);
  return [...ids]
    .filter((id) => computed.get(id) !== entry.handlers[id])
    .map((id) => ({ code: "E_LOCK_IDENTITY", facts: { handler: handlerName(source, id) } }));
}
