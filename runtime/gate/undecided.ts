import { type HandlerName, handlerName, type Identity, type ProjectApprovals } from "@hookpkg/spec";
import type { Home } from "../home.ts";
import type { Layer } from "../layers/layer.ts";
import { USER } from "../person/projects.ts";
import { projectWishes, userWishes } from "./project-files.ts";
import type { Place } from "./proposals.ts";
import { orderChange, proposedOrder } from "./proposed-order.ts";

/** What nobody decided about yet; `identity` names what is proposed, null that it would be gone. */
export type Waiting = { name: string; identity: string | null };
export type Undecided = {
  /** Identities as the lock has them; undefined when it can't be read, because then nothing is known to have changed. */
  lock: ReadonlyMap<string, Identity> | undefined;
  waiting: readonly Waiting[];
};

/** What a place's own files propose beside what was decided there, by their own word: enough to ask about, not to approve. */
export function undecidedIn(
  home: Home,
  place: Place,
  approvals: ProjectApprovals | undefined,
  layers: readonly Layer[],
): Undecided {
  const { lock, lockFault, file } = place === USER ? userWishes(home) : projectWishes(place.root);
  if (lockFault !== undefined) return { lock: undefined, waiting: [] };
  const entries = approvals?.entries ?? {};
  const packages = Object.entries(lock.packages).flatMap(([source, { handlers }]) =>
    Object.entries(handlers).map(([id, identity]) => ({ name: handlerName(source, id), source, identity })),
  );
  const locked = [...layers.flatMap((layer) => layerHandlers(layer, entries)), ...packages];
  const map = new Map<string, Identity>(locked.map(({ name, identity }) => [name, identity]));
  const named = locked.map(({ name, source }) => ({ name, source, event: entries[name]?.normalForm.event }));
  const order = proposedOrder({ handlers: named, wish: file.order }, approvals).names;
  // What is off waits for being switched on again first.
  const isAsked = (name: string) => approvals?.safeMode === undefined || entries[name] === undefined;
  const waiting = handlersIn(entries, map).filter(({ name }) => isAsked(name));
  return { lock: map, waiting: [...waiting, ...orderIn(approvals, order)] };
}

/** Of a layer that can't be read nothing is known to have changed. */
function layerHandlers(layer: Layer, entries: ProjectApprovals["entries"]) {
  const { source } = layer;
  if ("found" in layer)
    return layer.found.identities.map(({ id, identity }) => ({ name: handlerName(source, id), source, identity }));
  const isOfLayer = (name: string): name is HandlerName => name.startsWith(`${source}#`) && !name.includes("@hk1:");
  return Object.entries(entries).flatMap(([name, { identity }]) =>
    isOfLayer(name) ? [{ name, source, identity }] : [],
  );
}

/** New, changed or dropped; not rejected, and not switched off by the person. */
function handlersIn(entries: ProjectApprovals["entries"], lock: ReadonlyMap<string, Identity>): Waiting[] {
  const asked = [...lock].filter(
    ([name, identity]) =>
      entries[name]?.identity !== identity &&
      entries[name]?.decided !== "disabled" &&
      entries[`${name}@${identity}`]?.decided !== "rejected",
  );
  const dropped = Object.keys(entries).filter((name) => entries[name]?.decided === "approved" && !lock.has(name));
  return [
    ...asked.map(([name, identity]) => ({ name, identity })),
    ...dropped.map((name) => ({ name, identity: null })),
  ];
}

function orderIn(approvals: ProjectApprovals | undefined, proposed: readonly HandlerName[]): Waiting[] {
  const change = orderChange(approvals, proposed);
  return change === undefined || change.rejected ? [] : [{ name: "the order of your hooks", identity: change.digest }];
}
