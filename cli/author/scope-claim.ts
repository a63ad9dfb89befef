import { homeFolders } from "@hookpkg/runtime";
import { type CommandData, parseScope } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { claim } from "../publish/claim.ts";
import { bindRegistry, registryAddress } from "../registry/binding.ts";
import { keyRing } from "./key-file.ts";

/** Claims a scope at a registry. Where it is this person's already, nothing changes. */
export async function run(call: Call): Promise<Done<CommandData["scope claim"]>> {
  const [text, ...more] = call.args;
  if (text === undefined || more.length > 0) throw refuse("E_USAGE", { expected: "one scope, such as @acme" });
  const scope = parseScope(text);
  const home = homeFolders(call.home);
  const registry = await bindRegistry(call, registryAddress(call, scope));
  const state = await claim(scope, { home, registry, keys: keyRing(call) });
  const { url } = registry.client;
  return {
    data: { scope, registry: url, seq: state.seq, keys: state.release.map(({ key }) => key) },
    lines: [`${scope} is yours at ${url} (statement ${state.seq})`],
  };
}
