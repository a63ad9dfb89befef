import { nextScopeState, type ScopeState } from "@hookpkg/signing";
import type { Scope, Sha256 } from "@hookpkg/spec";
import type { StoredScopeStatement } from "../store/store.ts";

const MAX_REMEMBERED = 1000;

/**
 * Verified states by the digest of the statement that made them. A statement names the one before it, so a digest stands
 * for its whole chain and what was verified once stays so.
 */
const verified = new Map<Sha256, ScopeState>();

/** The scope as of the last of its stored statements; `null` if it was never claimed. */
export async function stateOf(scope: Scope, chain: readonly StoredScopeStatement[]): Promise<ScopeState | null> {
  let state: ScopeState | null = null;
  for (const { statement, envelope } of chain) {
    state = verified.get(statement) ?? (await nextScopeState(state, JSON.parse(envelope), scope));
    remember(state);
  }
  return state;
}

function remember(state: ScopeState): void {
  verified.delete(state.head);
  verified.set(state.head, state);
  const [oldest] = verified.keys();
  if (verified.size > MAX_REMEMBERED && oldest !== undefined) verified.delete(oldest);
}
