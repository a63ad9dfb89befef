import type { Approved, GateProblem } from "../gate/runnable.ts";
import { afterPatchers, isLate, isPatcher } from "./after-patchers.ts";

/** In order; or `off`: these can't be ordered, so none of them runs until that is mended. */
export type Ordered = { order: readonly Approved[]; off: readonly Approved[]; problems: readonly GateProblem[] };

/**
 * The order of the chain: source order, refined by before and after. `known` are names that are on record
 * without running. Managed handlers are ordered among themselves first: nothing below them has a say. http handlers then go behind
 * those that patch.
 */
export function orderHandlers(handlers: readonly Approved[], known: ReadonlySet<string> = new Set()): Ordered {
  const managed = handlers.filter((handler) => handler.tier === "managed");
  const others = handlers.filter((handler) => handler.tier !== "managed");
  const names = new Set([...handlers.map((handler) => handler.name), ...known]);
  const [first, rest] = [sortTier(managed, names), sortTier(others, names)];
  return {
    order: afterPatchers([...first.order, ...rest.order], edges(handlers)),
    off: [...first.off, ...rest.off],
    problems: [...first.problems, ...rest.problems],
  };
}

function sortTier(handlers: readonly Approved[], names: ReadonlySet<string>): Ordered {
  const dead = handlers.flatMap((handler) =>
    [...handler.normalForm.before, ...handler.normalForm.after]
      .filter((reference) => !reference.endsWith("?") && ![...names].some((name) => refersTo(handler, reference, name)))
      .map((reference) => ({ code: "E_CHAIN_REFERENCE", facts: { handler: handler.name, reference } })),
  );
  if (dead.length > 0) return { order: [], off: handlers, problems: dead };
  const order = topological(handlers, edges(handlers));
  if (order.length === handlers.length) return { order, off: [], problems: [] };
  const stuck = handlers.filter((handler) => !order.includes(handler)).map((handler) => handler.name);
  return { order: [], off: handlers, problems: [{ code: "E_CHAIN_CYCLE", facts: { handlers: stuck.join(" ") } }] };
}

/** Why a handler stands where it does, beyond source order: its own wishes, and those of others about it. */
export function reasonsFor(handler: Approved, handlers: readonly Approved[]): string[] {
  const others = handlers.filter(
    (other) => other !== handler && other.normalForm.event === handler.normalForm.event && isOneTier(other, handler),
  );
  const patcher = isLate(handler) ? others.findLast(isPatcher) : undefined;
  const late = patcher === undefined ? [] : [`behind ${patcher.name}, which may patch`];
  const wished = others.flatMap((other) => [
    ...(wants(handler, "after", other) ? [`after ${other.name}`] : []),
    ...(wants(handler, "before", other)
      ? [`before ${other.name}${isBound(handler, other) ? ", which stays before it: it is the person's own" : ""}`]
      : []),
    ...(wants(other, "after", handler) ? [`${other.name} asks to be after it`] : []),
    ...(wants(other, "before", handler) && !isBound(other, handler) ? [`${other.name} asks to be before it`] : []),
  ]);
  return [...late, ...wished];
}

function wants(handler: Approved, where: "before" | "after", other: Approved): boolean {
  return handler.normalForm[where].some((reference) => refersTo(handler, reference, other.name));
}

/** Nothing goes before a person's own by a lower tier's wish. */
function isBound(handler: Approved, other: Approved): boolean {
  return isPersons(other) && !isPersons(handler);
}

function isOneTier(a: Approved, b: Approved): boolean {
  return (a.tier === "managed") === (b.tier === "managed");
}

/** For each handler, those that must run before it. Handlers of two events never meet. */
function edges(handlers: readonly Approved[]): Map<Approved, Set<Approved>> {
  const earlier = new Map(handlers.map((handler) => [handler, new Set<Approved>()]));
  for (const handler of handlers)
    for (const other of handlers) {
      if (other === handler || other.normalForm.event !== handler.normalForm.event) continue;
      if (wants(handler, "after", other)) earlier.get(handler)?.add(other);
      if (wants(handler, "before", other) && !isBound(handler, other)) earlier.get(other)?.add(handler);
    }
  return earlier;
}

/** Kahn's, always taking the first in source order that is free. What is left over stands in a cycle or behind one. */
function topological(handlers: readonly Approved[], earlier: Map<Approved, Set<Approved>>): Approved[] {
  const order: Approved[] = [];
  const waiting = [...handlers];
  const isFree = (handler: Approved) => [...(earlier.get(handler) ?? [])].every((each) => order.includes(each));
  for (let next = waiting.findIndex(isFree); next !== -1; next = waiting.findIndex(isFree))
    order.push(...waiting.splice(next, 1));
  return order;
}

function isPersons(handler: Approved): boolean {
  return handler.tier === "user" || handler.tier === "user-package";
}

/** `@s/n#id`, `@s/n` (all of its handlers) or `#id` (of the same package). */
function refersTo(from: Approved, reference: string, name: string): boolean {
  const plain = reference.replace(/\?$/, "");
  const full = plain.startsWith("#") ? `${from.source}${plain}` : plain;
  return name === full || (!full.includes("#") && name.startsWith(`${full}#`));
}
