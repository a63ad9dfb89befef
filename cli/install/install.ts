import { type Scope, scopeOf } from "@hookpkg/spec";
import type { BoundRegistry } from "../registry/binding.ts";
import { type Fetched, fetchLocal, fetchResolved, resolve } from "./fetch.ts";
import { type Placed, place } from "./place.ts";
import { refuseUnmet } from "./requirements.ts";
import { type Known, type ScopeSeen, type Verified, verify } from "./verify.ts";
import type { Wish } from "./wish.ts";

export type InstallWorld = {
  /** The registry a scope is bound to. Asks the person where it is bound for the first time. */
  registryOf: (scope: Scope) => Promise<BoundRegistry>;
  /** Holds a log to its past: refuses a checkpoint that does not continue the last one seen. */
  seeCheckpoint: (registry: BoundRegistry, checkpoint: string) => Promise<void>;
  known: Known;
  store: string;
};

/** What to write down afterwards: proposals for the lock, who signed, and how far the scopes were seen. */
export type Installed = { placed: readonly Placed[]; verified: readonly Verified[]; scopes: readonly ScopeSeen[] };

/** Stations 8 to 10. Nothing is placed until every package is verified. */
export async function install(wishes: readonly Wish[], world: InstallWorld): Promise<Installed> {
  const fetched = await fetchAll(wishes, world);
  const verified = await Promise.all(fetched.map((one) => verify(one, world.known)));
  for (const one of verified) refuseUnmet(one);
  const placed = await Promise.all(verified.map((one) => place(one, world.store)));
  return { placed, verified, scopes: verified.flatMap(({ release }) => (release ? [release.scope] : [])) };
}

/** Station 8 for every wish, in the order of the wishes: a new package's place in the lock is its place in the chain. */
async function fetchAll(wishes: readonly Wish[], world: InstallWorld): Promise<Fetched[]> {
  const byRegistry = new Map<string, { registry: BoundRegistry; wishes: Wish[] }>();
  const fetched = new Map<Wish, Fetched>();
  for (const wish of wishes) {
    if (wish.from !== "registry") fetched.set(wish, await fetchLocal(wish));
    else {
      const registry = await world.registryOf(scopeOf(wish.name));
      const group = byRegistry.get(registry.client.url) ?? { registry, wishes: [] };
      byRegistry.set(registry.client.url, { registry, wishes: [...group.wishes, wish] });
    }
  }
  for (const { registry, wishes: wished } of byRegistry.values()) {
    const answer = await resolve(registry, wished);
    await world.seeCheckpoint(registry, answer.checkpoint);
    for (const [wish, one] of await fetchResolved(registry, answer, wished)) fetched.set(wish, one);
  }
  return wishes.flatMap((wish) => fetched.get(wish) ?? []);
}
