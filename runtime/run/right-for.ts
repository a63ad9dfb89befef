import { type Capabilities, NEVER_WRITTEN } from "@hookpkg/spec";
import { isWithin } from "./place.ts";

/** Where a handler believes that it is, and what its package asks for already. */
export type Standing = { projects: readonly string[]; home: string; capabilities: Capabilities };

/** The right of the manifest that would give a path, as it is written there; null where none does or the package has it. */
export function rightFor({ path, writes }: { path: string; writes: boolean }, standing: Standing): string | null {
  const project = standing.projects.find((folder) => isWithin(path, folder));
  if (project !== undefined) return inProject(path.slice(project.length + 1), writes, standing);
  if (writes) return null; // outside the project nothing is granted to write; PLUGIN_DATA is there
  if (isWithin(path, standing.home)) return `"read": [${JSON.stringify(`~${path.slice(standing.home.length)}`)}]`;
  return `"read": [${JSON.stringify(path)}]`;
}

function inProject(path: string, writes: boolean, { capabilities }: Standing): string | null {
  if (!writes) return capabilities.project === "read" ? null : '"project": "read"';
  const names = path.split("/");
  const folder = names.slice(0, -1).join("/");
  if (path.startsWith(".") || names.some((name) => NEVER_WRITTEN.has(name.toLowerCase()))) return null;
  if (folder === "") return '"write": ["$file"], for the file that the event names';
  return `"write": [${JSON.stringify(`${folder}/**`)}]`;
}
