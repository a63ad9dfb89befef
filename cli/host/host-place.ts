import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type Entry,
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
import { nearest } from "@hookpkg/spec";
import { refuse } from "../faults.ts";

/** One host's settings where `attach` writes them: the person's own, or those of a project. */
export type Place = {
  settings: HostSettings;
  scope: "personal" | "shared";
  file: string;
  groups: Groups;
  /** A file beside it that is wholly ours. */
  manifest?: OwnFile;
  /** In place of entries: files that are wholly ours, of which `file` is the last. */
  own?: readonly OwnFile[];
  /** What links of the settings must not lead out of. */
  within?: string;
  /** Of the host that is here; absent: nothing says so. */
  version?: string;
};

export type OwnFile = { file: string; text: string; mode?: number };

/** Settings of a host by name. E_HOST_UNKNOWN. */
export function settingsOf(name: string): HostSettings {
  const found = HOST_SETTINGS.find(({ host, program }) => host === name || program === name);
  if (found !== undefined) return found;
  const known = HOST_SETTINGS.map(({ host }) => host);
  const meant = nearest(name, known);
  throw refuse("E_HOST_UNKNOWN", { found: name.slice(0, 100), ...(meant ? { meant } : {}), known });
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
  const text = (entry: Entry) => personalText(settings, entry, launch);
  if (settings.shims) return shimPlace(settings, "personal", join(base, personal.path), text);
  const groups = groupsWith(settings, text);
  if (personal.kind !== "extension") return { settings, scope: "personal", file: join(base, personal.path), groups };
  const folder = join(base, personal.path);
  const manifest = { file: join(folder, personal.manifest), text: MANIFEST };
  return { settings, scope: "personal", file: join(folder, personal.hooks), groups, manifest };
}

export function sharedPlace(settings: HostSettings, root: string): Place {
  const text = (entry: Entry) => sharedText(settings, entry);
  if (settings.shims) return { ...shimPlace(settings, "shared", join(root, settings.shared), text), within: root };
  const groups = groupsWith(settings, text);
  return { settings, scope: "shared", file: join(root, settings.shared), groups, within: root };
}

function shimPlace(
  settings: HostSettings,
  scope: Place["scope"],
  folder: string,
  text: (entry: Entry) => string,
): Place {
  const commands = Object.fromEntries(settings.entries.map((entry) => [entry.event, text(entry)]));
  const own = (settings.shims?.(commands) ?? []).map(({ name, ...file }) => ({ file: join(folder, name), ...file }));
  return { settings, scope, file: own.at(-1)?.file ?? folder, groups: {}, own };
}

/** The host's names of the events that it will ask about. */
export function eventsOf({ settings }: Place): string[] {
  return settings.entries.map(({ event }) => event);
}

export function settingsText({ groups, settings }: Place): string {
  return newSettings(groups, settings.head);
}

/** Its version is not hookpkg's: the extension is the same whatever hookpkg it calls. */
const MANIFEST = `${JSON.stringify({ name: "hookpkg", version: "1.0.0" }, null, 2)}\n`;

function groupsWith(settings: HostSettings, text: (entry: Entry) => string): Groups {
  return Object.fromEntries(settings.entries.map((entry) => [entry.event, groupOf(entry, text(entry), settings)]));
}

/** Where links lead; the path itself where nothing is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
