import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Groups,
  groupsOf,
  type HostSettings,
  newSettings,
  readSettings,
  SHIM_MARK,
  withGroups,
  withoutGroups,
} from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import { type Detachment, sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import { keepBackup, type Recorded, type RecordedFile, readBackup } from "./attached-record.ts";
import type { Place } from "./host-place.ts";
import { ownFile, planOwn } from "./own-files.ts";
import {
  makeFolders,
  missingFolders,
  ofSettings,
  openSettings,
  type SettingsFile,
  saveSettings,
} from "./settings-file.ts";

/** What an attach will do: `record` is kept before `write` writes, so that a kill between leaves nothing that `detach` cannot find. */
export type Plan = {
  state: "attached" | "changed" | "already";
  file: string;
  record: Recorded;
  /** The settings as they will be. */
  settings: Readonly<Record<string, unknown>>;
  write: () => void;
};

/** Asked before entries of ours are put in the place of other ones of ours; throws where that must not be done. */
export type MayReplace = () => void;

/** Plans our entries in one host's settings; nothing is written there yet. */
export async function planAttach(
  home: Home,
  place: Place,
  old: Recorded | undefined,
  mayReplace: MayReplace,
): Promise<Plan> {
  if (place.own) return planOwn(place, place.own, old, mayReplace);
  const opened = openSettings(place.file, place.within);
  const known = old?.files.find(({ file }) => file === opened.file);
  const text = await textWith(place, opened, known?.groups ?? {});
  const isRenewed = known !== undefined && !sameGroups(known.groups ?? {}, place.groups);
  if (isRenewed) mayReplace();
  const isDone = known !== undefined && !isRenewed && opened.now?.text === text;
  const own = place.manifest ? [ownFile(place.manifest, old)] : [];
  const folders = [...new Set([...(old?.folders ?? []), ...missingFolders(dirname(opened.file))])];
  const files = [
    ...own.map(({ opened: { file }, text }) => ({ file, groups: null, before: null, after: sha256(text) })),
    isDone ? known : recorded(home, place, { opened, text, known }),
  ];
  return {
    state: isDone ? "already" : known ? "changed" : "attached",
    file: opened.file,
    record: { host: place.settings.host, scope: place.scope, files, folders },
    settings: await ofSettings(opened.file, readSettings(text, place.settings)),
    write: () => {
      for (const one of [...own, { opened, text }]) {
        makeFolders(dirname(one.opened.file));
        if (one.opened.now?.text !== one.text) saveSettings(one.opened, one.text, { shared: place.scope === "shared" });
      }
    },
  };
}

async function textWith(
  { settings, groups, manifest }: Place,
  { file, now }: SettingsFile,
  before: Groups,
): Promise<string> {
  if (now === undefined || now.text.trim() === "") return newSettings(groups, settings.head);
  // A folder for an extension of ours that somebody else filled is not ours to write into.
  if (manifest && Object.keys(before).length === 0 && now.text !== newSettings(groups, settings.head))
    throw refuse("E_ATTACH_TAKEN", { path: file });
  return ofSettings(file, withGroups(now.text, groups, before, settings));
}

type Writing = { opened: SettingsFile; text: string; known: RecordedFile | undefined };

function recorded(home: Home, { groups }: Place, { opened: { file, now }, text, known }: Writing): RecordedFile {
  return { file, groups: { ...groups }, before: beforeOf(home, { now, text, known }), after: sha256(text) };
}

/**
 * What was there before is what an earlier attach found, as long as nobody wrote in between. Bytes that hold our entries already are
 * nothing to go back to: then only the entries are taken out.
 */
function beforeOf(home: Home, { now, text, known }: Pick<Writing, "text" | "known"> & Pick<SettingsFile, "now">) {
  if (now === undefined) return null;
  if (known) return now.digest === known.after ? known.before : null;
  return now.text === text ? null : { digest: now.digest, backup: keepBackup(home, now.text, now.digest) };
}

/** How a host's settings are read, and which files of the record stay: another host's entries are the same ones. */
export type Detaching = {
  comments: boolean;
  head: HostSettings["head"] | undefined;
  kept: (file: RecordedFile) => boolean;
};

/** Takes out exactly what the record says, or brings back the bytes from before where nobody has written since. */
export async function detachFrom(record: Recorded, { comments, head, kept }: Detaching): Promise<Detachment> {
  const found: Detachment[] = [];
  const how = { comments, head, shared: record.scope === "shared" };
  for (const one of record.files) found.push(kept(one) ? "removed" : await detachFile(one, how));
  for (const folder of record.folders.toReversed()) removeIfEmpty(folder);
  return found.includes("removed") ? "removed" : found.includes("restored") ? "restored" : "gone";
}

async function detachFile(
  one: RecordedFile,
  { comments, head, shared }: Pick<Detaching, "comments" | "head"> & { shared: boolean },
): Promise<Detachment> {
  const opened = openSettings(one.file);
  if (opened.now === undefined) return "gone";
  if (opened.now.digest === one.after) {
    const text = one.before ? readBackup(one.before) : undefined;
    if (text !== undefined) return saved(opened, text, shared, "restored");
    if (one.before === null && (one.groups === null || opened.now.text === newSettings(one.groups, head)))
      return removed(one.file);
  }
  // Without our mark somebody made it their own.
  if (one.groups === null) return opened.now.text.includes(SHIM_MARK) ? removed(one.file, "removed") : "gone";
  const text = await ofSettings(opened.file, withoutGroups(opened.now.text, one.groups, { comments }));
  return text === opened.now.text ? "gone" : saved(opened, text, shared, "removed");
}

function saved(opened: SettingsFile, text: string, shared: boolean, how: Detachment): Detachment {
  saveSettings(opened, text, { shared });
  return how;
}

function removed(file: string, how: Detachment = "restored"): Detachment {
  try {
    rmSync(file);
    return how;
  } catch (cause) {
    throw refuse("E_FILE_WRITE", { path: file }, cause);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    if (lstatSync(folder).isDirectory()) rmdirSync(folder);
  } catch {
    // gone, or somebody else keeps things in it
  }
}

/** Whether the entries that a record speaks of still stand in the host's settings. */
export async function standsThere(record: Recorded, comments: boolean): Promise<boolean> {
  for (const { file, groups } of record.files) {
    const { now } = openSettings(file);
    if (now === undefined) return false;
    if (groups === null) continue;
    const settings = await ofSettings(file, readSettings(now.text, { comments }));
    const stands = ([event, group]: [string, unknown]) =>
      groupsOf(settings, event).some((one) => Bun.deepEquals(one, group));
    if (!Object.entries(groups).every(stands)) return false;
  }
  return true;
}

function sameGroups(one: object, other: Groups): boolean {
  return Bun.deepEquals({ ...one }, { ...other });
}
