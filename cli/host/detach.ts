import { HOST_SETTINGS } from "@hookpkg/hosts";
import { type Home, homeFolders } from "@hookpkg/runtime";
import type { CommandData } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { pageLines } from "../trust/page.ts";
import { refuseInHost } from "./attach.ts";
import { type Recorded, type RecordedFile, readRecords, whileAttaching, writeRecords } from "./attached-record.ts";
import { detachFrom } from "./attachment.ts";
import { settingsOf } from "./host-place.ts";

/** Takes out of the settings of hosts exactly what `attach` recorded; everything else in them stays. */
export async function run(call: Call): Promise<Done<CommandData["detach"]>> {
  const home = homeFolders(call.home);
  refuseInHost(call, home);
  const root = call.flags.on("shared") ? projectRoot(call) : undefined;
  const names = call.args.map((name) => settingsOf(name).host);
  const hosts = await whileAttaching(home, () => detachAll(home, names, root));
  const said = {
    restored: "detached, its settings are as before",
    removed: "detached",
    gone: "nothing of ours was left",
  };
  return {
    data: { hosts },
    lines:
      hosts.length === 0
        ? ["nothing is attached"]
        : hosts.flatMap((one) => pageLines(`${one.host}: ${said[one.found]}: ${one.file}`)),
  };
}

async function detachAll(home: Home, names: readonly string[], root: string | undefined) {
  const asked = readRecords(home).filter((record) => isAsked(record, names, root));
  for (const name of names) if (!asked.some(({ host }) => host === name)) throw refuse("E_ATTACH_NONE", { host: name });
  const done: CommandData["detach"]["hosts"][number][] = [];
  for (const one of asked) {
    const records = readRecords(home);
    const record = records.find((now) => isSameRecord(now, one)) ?? one;
    const { comments = false, head } = HOST_SETTINGS.find(({ host }) => host === record.host) ?? {};
    const others = records.filter((other) => other !== record);
    const kept = (file: RecordedFile) => others.some(({ files }) => files.some((other) => isShared(other, file)));
    const found = await detachFrom(record, { comments, head, kept });
    // One by one: a file that cannot be mended keeps its record, and the ones before it are done.
    writeRecords(
      home,
      others.map((other) => heirOf(other, record)),
    );
    done.push({ host: record.host, scope: record.scope, file: record.files.at(-1)?.file ?? "", found });
  }
  return done;
}

function isSameRecord(one: Recorded, other: Recorded): boolean {
  return one.host === other.host && one.scope === other.scope && one.files.at(-1)?.file === other.files.at(-1)?.file;
}

/** Two hosts that read one file of settings have one set of entries in it. */
function isShared(one: RecordedFile, other: RecordedFile): boolean {
  return one.file === other.file && one.groups !== null && Bun.deepEquals(one.groups, other.groups);
}

/** Whoever keeps entries that another host had first knows from then on what was there before them. */
function heirOf(record: Recorded, gone: Recorded): Recorded {
  const before = (file: RecordedFile) => gone.files.find((one) => isShared(one, file));
  if (!record.files.some(before)) return record;
  const files = record.files.map((file) => ({ ...file, before: file.before ?? before(file)?.before ?? null }));
  return { ...record, files, folders: [...new Set([...gone.folders, ...record.folders])] };
}

/** Without `--shared` the person's own settings; with it those of this project. */
function isAsked({ host, scope, files }: Recorded, names: readonly string[], root: string | undefined): boolean {
  if (names.length > 0 && !names.includes(host)) return false;
  if (root === undefined) return scope === "personal";
  return scope === "shared" && files.some(({ file }) => file.startsWith(`${root}/`));
}
