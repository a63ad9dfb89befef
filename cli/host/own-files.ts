import { dirname } from "node:path";
import { SHIM_MARK } from "@hookpkg/hosts";
import { sha256 } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Recorded } from "./attached-record.ts";
import type { MayReplace, Plan } from "./attachment.ts";
import type { OwnFile, Place } from "./host-place.ts";
import { makeFolders, missingFolders, openSettings, type SettingsFile, saveSettings } from "./settings-file.ts";

/** A file that is wholly ours, as it is and as it will be. E_ATTACH_TAKEN where somebody else's stands. */
export function ownFile({ file, text, mode }: OwnFile, old: Recorded | undefined, within?: string): Opened {
  const opened = openSettings(file, within);
  const known = old?.files.some((one) => one.file === opened.file && one.groups === null);
  const isOurs = known || opened.now?.text.includes(SHIM_MARK);
  if (opened.now && opened.now.text !== text && !isOurs) throw refuse("E_ATTACH_TAKEN", { path: opened.file });
  return { opened, text, ...(mode === undefined ? {} : { mode }) };
}

type Opened = { opened: SettingsFile; text: string; mode?: number };

/** Plans the files of a host that has no entries: a plugin, or a program for each event. */
export function planOwn(
  place: Place,
  own: readonly OwnFile[],
  old: Recorded | undefined,
  mayReplace: MayReplace,
): Plan {
  const files = own.map((one) => ownFile(one, old, place.within));
  const isRenewed = files.some(({ opened, text }) => opened.now !== undefined && opened.now.text !== text);
  if (isRenewed) mayReplace();
  const isThere = files.every(
    ({ opened, text, mode }) => opened.now?.text === text && opened.now.mode === (mode ?? opened.now.mode),
  );
  const folders = files.flatMap(({ opened }) => missingFolders(dirname(opened.file)));
  return {
    state: isThere && old !== undefined ? "already" : old === undefined ? "attached" : "changed",
    file: files.at(-1)?.opened.file ?? place.file,
    record: {
      ...{ host: place.settings.host, scope: place.scope },
      files: files.map(({ opened: { file }, text }) => ({ file, groups: null, before: null, after: sha256(text) })),
      folders: [...new Set([...(old?.folders ?? []), ...folders])],
    },
    settings: {},
    write: () => {
      for (const { opened, text, mode } of files) {
        makeFolders(dirname(opened.file));
        saveSettings(opened, text, { shared: place.scope === "shared", ...(mode === undefined ? {} : { mode }) });
      }
    },
  };
}
