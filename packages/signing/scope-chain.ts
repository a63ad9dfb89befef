import { parseCanonical, type Scope, sha256 } from "@hookpkg/spec";
import { openEnvelope, PAYLOAD_TYPES, payloadOf } from "./envelope.ts";
import { refuse } from "./faults.ts";
import { type PublicKey, rawPublicKey } from "./public-key.ts";
import type { ScopeRoot, ScopeState, ScopeStatement } from "./scope-state.ts";
import { readScopeStatement } from "./scope-statement.ts";
import { vetPublicKey } from "./vet-key.ts";

export const MAX_SCOPE_STATEMENTS = 1024;

/** The scope as of the last of its statements, given all of them in order. */
export async function verifyScopeChain(envelopes: readonly unknown[], scope: Scope): Promise<ScopeState> {
  const last = (await verifyScopeStates(envelopes, scope)).at(-1);
  if (last === undefined) throw refuse("E_SCOPE_CHAIN", { scope, found: "no statement" });
  return last;
}

/** The scope as of each of its statements: for a release that was logged before the latest one. */
export async function verifyScopeStates(envelopes: readonly unknown[], scope: Scope): Promise<ScopeState[]> {
  if (envelopes.length > MAX_SCOPE_STATEMENTS) throw refuse("E_SCOPE_CHAIN", { scope, max: MAX_SCOPE_STATEMENTS });
  const states: ScopeState[] = [];
  for (const envelope of envelopes) states.push(await nextScopeState(states.at(-1) ?? null, envelope, scope));
  return states;
}

/** One step: what `envelope` makes of a verified state, of nothing (`null`) for statement 0. */
export async function nextScopeState(before: ScopeState | null, envelope: unknown, scope: Scope): Promise<ScopeState> {
  // Which keys may sign stands in the statement itself, so it is read before it is verified; nothing else is taken from it.
  const claimed = readScopeStatement(parseCanonical(payloadOf(envelope, PAYLOAD_TYPES.scope).bytes));
  refuseDiscontinuity(before, claimed, scope);
  await vetKeys(claimed, before);
  const allowed = [...new Set([...(before?.root.keys ?? []), ...claimed.root.keys])];
  const { bytes, signers } = await openEnvelope(envelope, PAYLOAD_TYPES.scope, allowed);
  for (const root of before === null ? [claimed.root] : [before.root, claimed.root]) refuseTooFew(root, signers, scope);
  const { seq, root, release } = claimed;
  return { scope, seq, head: sha256(bytes), root, release };
}

function refuseDiscontinuity(before: ScopeState | null, claimed: ScopeStatement, scope: Scope): void {
  if (claimed.scope !== scope) throw refuse("E_SCOPE_FOREIGN", { expected: scope, found: claimed.scope });
  const expected = before === null ? 0 : before.seq + 1;
  if (claimed.seq !== expected) throw refuse("E_SCOPE_SEQUENCE", { scope, expected, found: claimed.seq });
  if (claimed.prev !== (before?.head ?? null))
    throw refuse("E_SCOPE_PREVIOUS", { scope, seq: claimed.seq, expected: before?.head ?? null, found: claimed.prev });
}

/** Keys that the verified state already holds were vetted when they came. */
async function vetKeys({ root, release }: ScopeStatement, before: ScopeState | null): Promise<void> {
  const known = new Set<PublicKey>([...(before?.root.keys ?? []), ...(before?.release ?? []).map(({ key }) => key)]);
  const keys = [...root.keys, ...release.map(({ key }) => key)];
  for (const key of keys) if (!known.has(key)) await vetPublicKey(rawPublicKey(key));
}

/** A changed root must reach its own threshold too: nobody is locked out by keys that nobody holds. */
function refuseTooFew(root: ScopeRoot, signers: readonly PublicKey[], scope: Scope): void {
  const found = root.keys.filter((key) => signers.includes(key)).length;
  if (found < root.threshold) throw refuse("E_SCOPE_THRESHOLD", { scope, expected: root.threshold, found });
}
