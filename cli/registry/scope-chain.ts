import { isFault } from "@hookpkg/fault";
import { verifyReceipt } from "@hookpkg/log";
import type { Logged } from "@hookpkg/protocol";
import type { Home } from "@hookpkg/runtime";
import { logLeaf, type ScopeState, scopeSubject, verifyScopeStates } from "@hookpkg/signing";
import type { Scope } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { type BoundRegistry, readScopes, updateScopes } from "./binding.ts";

/** The scope as its registry holds it, verified and logged, and never behind what was seen before; `null`: unclaimed. */
export async function scopeAt(home: Home, { client, key }: BoundRegistry, scope: Scope): Promise<ScopeState | null> {
  const chain = await chainOf(client.scope(scope));
  const states = await verifyScopeStates(
    chain.map(({ envelope }) => envelope),
    scope,
  );
  for (const [seq, { receipt }] of chain.entries())
    verifyReceipt(receipt, logLeaf("scope", scopeSubject(scope, seq), states[seq]?.head ?? "sha256:"), key);
  const newest = states.at(-1) ?? null;
  await remember(home, client.url, states, scope);
  return newest;
}

/** Binds the scope to its registry and keeps how far its chain was seen: an older or another chain is a stolen name. */
async function remember(home: Home, registry: string, states: readonly ScopeState[], scope: Scope): Promise<void> {
  const seen = readScopes(home).scopes[scope];
  if (seen && seen.registry !== registry)
    throw refuse("E_VERIFY_SCOPE_REGISTRY", { scope, expected: seen.registry, found: registry });
  if (seen && states[seen.seq]?.head !== seen.head)
    throw refuse("E_VERIFY_SCOPE_ROLLBACK", { scope, expected: `${seen.seq} ${seen.head}` });
  const newest = states.at(-1);
  if (!newest) return;
  const { seq, head } = newest;
  await updateScopes(home, (scopes) => ({
    ...scopes,
    scopes: { ...scopes.scopes, [scope]: { registry, seq, head } },
  }));
}

async function chainOf(answer: Promise<{ chain: Logged[] }>): Promise<Logged[]> {
  try {
    return (await answer).chain;
  } catch (error) {
    if (isFault(error, "E_REGISTRY_NOT_FOUND")) return [];
    throw error;
  }
}
