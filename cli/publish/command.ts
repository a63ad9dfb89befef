import type { CommandData } from "@hookpkg/spec";
import { packageFolder } from "../author/package-folder.ts";
import type { Call, Done } from "../command.ts";
import { publish } from "./publish.ts";

/** Publishes a folder and says where it stands in the registry's log. */
export async function run(call: Call): Promise<Done<CommandData["publish"]>> {
  const { name, version, registry, integrity, index, already } = await publish(call, packageFolder(call));
  const what = already ? "is already there" : "is published";
  return {
    data: { name, version, registry, integrity, index, already },
    lines: [`${name}@${version} ${what}: ${registry}, log entry ${index}`, `  ${integrity}`],
  };
}
