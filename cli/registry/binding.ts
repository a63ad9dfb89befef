import { join } from "node:path";
import type { NoteKey } from "@hookpkg/log";
import { openRegistry, parseRegistryUrl, type Registry } from "@hookpkg/protocol";
import { type Home, homeFolders, readState, withLock, writeState } from "@hookpkg/runtime";
import { type Scope, type Scopes, type Sha256, scopesSchema } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { refuse } from "../faults.ts";
import { askConfirm } from "../prompt.ts";

/** A registry as this person bound it: its client, the key of its log, and the last checkpoint that was seen. */
export type BoundRegistry = { client: Registry; key: NoteKey; root: Sha256; checkpoint: string | null };

/**
 * Binds a registry by its root digest. At first use URL and digest are shown and asked, or `--registry-root` says the
 * digest; afterwards the address must stand for the same root: E_REGISTRY_CHANGED.
 */
export async function bindRegistry(call: Call, url: string): Promise<BoundRegistry> {
  const address = parseRegistryUrl(url);
  if (call.flags.on("offline")) throw refuse("E_OFFLINE", { registry: address });
  const home = homeFolders(call.home);
  const known = readScopes(home).registries[address];
  const client = openRegistry(address);
  const { digest, key } = await client.root();
  const said = call.flags.text("registry-root");
  if (said !== undefined && said !== digest)
    throw refuse("E_VERIFY_ROOT", { registry: address, expected: said.slice(0, 100), found: digest });
  if (known && known.root !== digest)
    throw refuse("E_REGISTRY_CHANGED", { registry: address, expected: known.root, found: digest });
  if (!known) {
    if (said === undefined) await confirm(call, address, digest);
    await updateScopes(home, (scopes) => {
      const registry = scopes.registries[address] ?? { root: digest, checkpoint: null };
      return { ...scopes, registries: { ...scopes.registries, [address]: registry } };
    });
  }
  return { client, key, root: digest, checkpoint: known?.checkpoint ?? null };
}

/**
 * The registry that is meant: `--registry`, else the one the scope is bound to, else the one that a project wishes for (which
 * is asked about at first use like any other), else the only one there is.
 */
export function registryAddress(call: Call, scope: Scope, wished?: string): string {
  const said = call.flags.text("registry");
  const { scopes, registries } = readScopes(homeFolders(call.home));
  const bound = scopes[scope]?.registry;
  if (said !== undefined) {
    const address = parseRegistryUrl(said);
    if (bound !== undefined && bound !== address)
      throw refuse("E_VERIFY_SCOPE_REGISTRY", { scope, expected: bound, found: address });
    return address;
  }
  const [only, ...more] = Object.keys(registries);
  const found = bound ?? wished ?? (more.length === 0 ? only : undefined);
  if (found === undefined) throw refuse("E_REGISTRY_UNKNOWN", { scope, flag: "--registry URL" });
  return found;
}

export function readScopes(home: Home): Scopes {
  return readState(scopesSchema, scopesFile(home)) ?? { v: 1, registries: {}, scopes: {} };
}

/** Changes scopes.json under its lock: two commands that bind at once both count. */
export async function updateScopes(home: Home, change: (scopes: Scopes) => Scopes): Promise<void> {
  await withLock(home, join(home.config, "scopes.lock"), () => {
    const before = readScopes(home);
    const after = change(before);
    if (!Bun.deepEquals(before, after)) writeState(home, scopesFile(home), after);
  });
}

async function confirm(call: Call, address: string, digest: Sha256): Promise<void> {
  const text = [`First use of ${address}`, `  its root is ${digest}`, "  Is this what its owner told you?"];
  const yes = await askConfirm(call.terminal, { text, flag: `--registry-root ${digest}` });
  if (!yes) throw refuse("E_DECLINED", { registry: address });
}

function scopesFile(home: Home): string {
  return join(home.config, "scopes.json");
}
