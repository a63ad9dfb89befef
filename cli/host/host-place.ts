import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Groups,
  groupOf,
  HOST_SETTINGS,
  type HostSettings,
  isEntryPath,
  type Launch,
  newSettings,
  personalText,
  sharedText,
} from "@hookpkg/hosts";
import { refuse } from "../faults.ts";

/** One host's settings where `attach` writes them: the person's own, or those of a project. */
export type Place = {
  settings: HostSettings;
  scope: "personal" | "shared";
  file: string;
  groups: Groups;
  /** A file beside it that is wholly ours. */
  manifest?: { file: string; text: string };
  /** What links of the settings must not lead out of. */
  within?: string;
};

/** Settings of a host by name. E_HOST_UNKNOWN. */
export function settingsOf(name: string): HostSettings {
  const found = HOST_SETTINGS.find(({ host, program }) => host === name || program === name);
  if (found === undefined) throw refuse("E_HOST_UNKNOWN", { found: name.slice(0, 100) });
  return found;
}

/** Whether the host was ever used by this person, or could be. */
export function isHere({ folder, program }: HostSettings, base: string, path: string | undefined): boolean {
  return existsSync(join(base, folder)) || programOn(program, path) !== undefined;
}

export function programOn(program: string, path: string | undefined): string | undefined {
  return Bun.which(program, { PATH: path ?? "" }) ?? undefined;
}

/** `base`: the person's home, where hosts keep what is theirs. */
export function personalPlace(settings: HostSettings, base: string, launch: Launch): Place {
  for (const path of [...launch.program.filter((word) => word.startsWith("/")), launch.home ?? "/", launch.state])
    if (!isEntryPath(path)) throw refuse("E_ATTACH_PATH", { path });
  const { personal } = settings;
  const groups = groupsWith(settings, (entry) => personalText(settings, entry, launch));
  if (personal.kind === "file") return { settings, scope: "personal", file: join(base, personal.path), groups };
  const folder = join(base, personal.path);
  const manifest = { file: join(folder, personal.manifest), text: MANIFEST };
  return { settings, scope: "personal", file: join(folder, personal.hooks), groups, manifest };
}

export function sharedPlace(settings: HostSettings, root: string): Place {
  const groups = groupsWith(settings, (entry) => sharedText(settings, entry));
  return { settings, scope: "shared", file: join(root, settings.shared), groups, within: root };
}

export function settingsText({ groups }: Place): string {
  return newSettings(groups);
}

/** Its version is not hookpkg's: the extension is the same whatever hookpkg it calls. */
const MANIFEST = `${JSON.stringify({ name: "hookpkg", version: "1.0.0" }, null, 2)}\n`;

function groupsWith({ entries }: HostSettings, text: (entry: HostSettings["entries"][number]) => string): Groups {
  return Object.fromEntries(entries.map((entry) => [entry.event, groupOf(entry, text(entry))]));
}
