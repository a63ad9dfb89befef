import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Home, homeFolders } from "@hookpkg/runtime";
import { type PrivateKey, releaseKeysFor, type ScopeState } from "@hookpkg/signing";
import { type PackageName, refuseReserved, type Scope, scopeOf } from "@hookpkg/spec";
import { type KeyRing, keyRing, scopeKeyFile } from "../author/key-file.ts";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { askConfirm } from "../prompt.ts";
import { type BoundRegistry, bindRegistry, registryAddress } from "../registry/binding.ts";
import { scopeAt } from "../registry/scope-chain.ts";
import { claim } from "./claim.ts";

/** Where a package is published: the bound registry, the scope as it is claimed there, and the keys to open. */
export type Desk = { call: Call; home: Home; registry: BoundRegistry; scope: ScopeState; keys: KeyRing };

/** Binds the registry and looks the scope up; at a terminal an unclaimed one may be claimed on the way. */
export async function openDesk(call: Call, name: PackageName): Promise<Desk> {
  refuseReserved(name);
  const scope = scopeOf(name);
  const home = homeFolders(call.home);
  const registry = await bindRegistry(call, registryAddress(call, scope));
  const keys = keyRing(call);
  const claimed = (await scopeAt(home, registry, scope)) ?? (await claimAsked(scope, { call, home, registry, keys }));
  return { call, home, registry, scope: claimed, keys };
}

/** Opens the key that signs, after the scope has said that it may. Nobody types a passphrase in vain. */
export async function openPublisherKey({ call, home, scope, keys }: Desk, name: PackageName): Promise<PrivateKey> {
  const given = call.flags.text("key");
  const file = given === undefined ? scopeKeyFile(home, scope.scope, "release") : resolve(call.cwd, given);
  if (given === undefined && !existsSync(file)) throw refuse("E_PUBLISH_NO_KEY", { scope: scope.scope, file });
  const key = await keys.open(file);
  if (!releaseKeysFor(scope, name, "publish", new Date()).includes(key.public))
    throw refuse("E_PUBLISH_KEY", { name, key: key.id });
  return key;
}

async function claimAsked(scope: Scope, { call, ...at }: Omit<Desk, "scope">): Promise<ScopeState> {
  const { url } = at.registry.client;
  if (!call.terminal.interactive) throw refuse("E_PUBLISH_UNCLAIMED", { scope, registry: url });
  const text = `Nobody has ${scope} at ${url}. Claim it with keys of yours?`;
  if (!(await askConfirm(call.terminal, { text, flag: "hookpkg scope claim" })))
    throw refuse("E_DECLINED", { scope, registry: url });
  return claim(scope, at);
}
