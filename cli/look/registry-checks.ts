import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { openRegistry } from "@hookpkg/protocol";
import type { Home } from "@hookpkg/runtime";
import type { Scopes } from "@hookpkg/spec";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { readScopes } from "../registry/binding.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";

/** Every registry that this person bound: reachable, and still the one that it was. Nothing is asked with `--offline`. */
export async function registryChecks(call: Call, home: Home): Promise<Check[]> {
  let registries: Scopes["registries"];
  try {
    registries = readScopes(home).registries;
  } catch (error) {
    return [
      failed(
        "registries",
        error,
        setAside(fileOf(error, join(home.config, "scopes.json")), "registries are bound anew then, at their next use"),
      ),
    ];
  }
  const known = Object.entries(registries);
  if (known.length === 0) return [works("registries", "none is bound yet")];
  if (call.flags.on("offline")) return [works("registries", `${known.length} bound, not asked: --offline`)];
  return Promise.all(known.map(([url, { root }]) => reachable(url, root)));
}

async function reachable(url: string, root: string): Promise<Check> {
  const name = `registry ${url}`;
  try {
    const { digest } = await openRegistry(url).root();
    if (digest === root) return works(name, `answers with ${digest}`);
    return broken(name, `its root is ${digest}, it was ${root}`, "ask who runs it whether its key was changed");
  } catch (error) {
    if (!isFault(error)) throw error;
    return failed(name, error, `${commandText("curl", `${url}/v1/root`)}  (and ask who runs it)`);
  }
}
