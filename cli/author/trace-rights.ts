import { NEVER_WRITTEN } from "@hookpkg/spec";
import type { Traced } from "./trace.ts";

/** The right of the manifest that would give a path, as it is written there; null where none does or the package has it. */
export function grantFor({ path, writes }: { path: string; writes: boolean }, traced: Traced): string | null {
  const project = traced.projects.find((folder) => isBelow(path, folder));
  if (project !== undefined) return inProject(path.slice(project.length + 1), writes, traced);
  if (writes) return null; // outside the project nothing is granted to write; PLUGIN_DATA is there
  if (isBelow(path, traced.home)) return `"read": [${JSON.stringify(`~${path.slice(traced.home.length)}`)}]`;
  return `"read": [${JSON.stringify(path)}]`;
}

function inProject(path: string, writes: boolean, { capabilities }: Traced): string | null {
  if (!writes) return capabilities.project === "read" ? null : '"project": "read"';
  const names = path.split("/");
  const folder = names.slice(0, -1).join("/");
  const isNever = names.some((name) => NEVER_WRITTEN.has(name.toLowerCase())) || path.startsWith(".");
  if (isNever) return null;
  return folder === ""
    ? '"write": ["$file"], for the file that the event names'
    : `"write": [${JSON.stringify(`${folder}/**`)}]`;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
