import { existsSync } from "node:fs";
import { verifyReceipt } from "@hookpkg/log";
import type { Home } from "@hookpkg/runtime";
import {
  claimScope,
  type Delegation,
  logLeaf,
  type PublicKey,
  type ScopeState,
  scopeSubject,
  statementDigest,
} from "@hookpkg/signing";
import { refuseReserved, type Scope } from "@hookpkg/spec";
import { type KeyRing, makeScopeKeys, publicKeyIn, scopeKeyFile } from "../author/key-file.ts";
import { refuse } from "../faults.ts";
import { staysDone } from "../prompt.ts";
import type { BoundRegistry } from "../registry/binding.ts";
import { seeCheckpoint } from "../registry/checkpoint.ts";
import { scopeAt } from "../registry/scope-chain.ts";

/** How long the first release key may sign. The root key can delegate to another one at any time before. */
const RELEASE_KEY_YEARS = 5;

/** Where a scope is claimed, and with which keys. */
export type ClaimAt = { home: Home; registry: BoundRegistry; keys: KeyRing };

/** Makes the scope this person's at the registry: statement 0, logged. Claimed before with the same keys: as it is. */
export async function claim(scope: Scope, { home, registry, keys }: ClaimAt): Promise<ScopeState> {
  refuseReserved(scope);
  const before = await scopeAt(home, registry, scope);
  if (before) return refuseOthers(before, home);
  const release = await releaseKey(scope, home, keys);
  const root = await keys.open(scopeKeyFile(home, scope, "root"));
  const envelope = await claimScope(scope, root, [delegation(scope, release)]);
  const { receipt } = await registry.client.putScope(scope, 0, envelope);
  verifyReceipt(receipt, logLeaf("scope", scopeSubject(scope, 0), statementDigest(envelope)), registry.key);
  staysDone(`${scope} is claimed`);
  await seeCheckpoint(home, registry, receipt.checkpoint);
  const claimed = await scopeAt(home, registry, scope);
  if (!claimed) throw refuse("E_PUBLISH_UNCLAIMED", { scope, registry: registry.client.url });
  return claimed;
}

function refuseOthers(state: ScopeState, home: Home): ScopeState {
  const file = scopeKeyFile(home, state.scope, "root");
  if (existsSync(file) && state.root.keys.includes(publicKeyIn(file))) return state;
  throw refuse("E_PUBLISH_SCOPE_TAKEN", { scope: state.scope, keys: state.root.keys });
}

async function releaseKey(scope: Scope, home: Home, keys: KeyRing): Promise<PublicKey> {
  const file = scopeKeyFile(home, scope, "release");
  if (existsSync(file)) return publicKeyIn(file);
  return (await makeScopeKeys(home, scope, await keys.newPassphrase(`the new keys of ${scope}`))).public;
}

function delegation(scope: Scope, key: PublicKey): Delegation {
  const until = new Date();
  until.setUTCFullYear(until.getUTCFullYear() + RELEASE_KEY_YEARS);
  const expires = `${until.toISOString().slice(0, 19)}Z`;
  return { key, packages: [`${scope}/*`], roles: ["publish"], expires };
}
