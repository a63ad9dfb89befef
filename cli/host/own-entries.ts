import { dirname, join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Groups, groupsOf, HOST_SETTINGS, type HostName, type HostSettings, readSettings } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import { readRecords } from "./attached-record.ts";

/**
 * Whether a host has entries of this person's own that stand. What a project says of itself does not count: it would be a way to have
 * nobody asked.
 */
export async function hasOwnEntries(home: Home, host: HostName): Promise<boolean> {
  return quietly(async () => {
    const record = readRecords(home).find((one) => one.host === host && one.scope === "personal");
    if (record === undefined || runsOthers(host)) return false;
    const { standsThere } = await import("./attachment.ts"); // lazy: few events need it
    return standsThere(record, false);
  });
}

/** Its entries are another host's: the very ones that ask. */
function runsOthers(name: HostName): boolean {
  return HOST_SETTINGS.some(({ host, runs }) => host === name && runs !== undefined);
}

const MAX_FOLDERS_UP = 64;

/**
 * Whether a project has our entry for the host itself beside the one of the asked host that was started. Both are the project's, the host runs both
 * or none, and ours for it is exactly what `attach --shared` writes: it asks. Anything else there leaves the answer to the entry that was started.
 */
export async function hasEntriesBeside(
  { asked, host, event }: { asked: HostName; host: HostName; event: string },
  folder: string,
): Promise<boolean> {
  const [theirs, own] = [asked, host].map((name) => HOST_SETTINGS.find((one) => one.host === name));
  if (theirs === undefined || own === undefined || own.shared === theirs.shared) return false;
  let root = folder;
  for (let up = 0; up < MAX_FOLDERS_UP; up++) {
    if ((await hasShared(theirs, root, event)) && (await hasShared(own, root, event))) return true;
    if (root === dirname(root)) break;
    root = dirname(root);
  }
  return false;
}

async function hasShared(settings: HostSettings, root: string, event: string): Promise<boolean> {
  return quietly(async () => {
    const { sharedPlace } = await import("./host-place.ts"); // lazy: few events need these
    const { openSettings } = await import("./settings-file.ts");
    const text = openSettings(join(root, settings.shared)).now?.text;
    if (text === undefined) return false;
    const now = await readSettings(text, settings);
    const groups: Groups = sharedPlace(settings, root).groups;
    const isOurs = groupsOf(now, event).some((group) => Bun.deepEquals(group, groups[event]));
    return isOurs && settings.fault?.(now) === undefined;
  });
}

/** What cannot be read stands nowhere: then the entry that was started answers. */
async function quietly(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}
