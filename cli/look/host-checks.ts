import { join } from "node:path";
import { commandsIn, HOST_SETTINGS, type HostSettings, readSettings, settingsAt, versionNotes } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { hostHome } from "../host/attach.ts";
import { type Recorded, readRecords } from "../host/attached-record.ts";
import { standsThere } from "../host/attachment.ts";
import { codexNotes } from "../host/host-notes.ts";
import { askedVersion } from "../host/host-version.ts";
import { switchedOff } from "../host/reach.ts";
import { ofSettings, openSettings } from "../host/settings-file.ts";
import { launchMend } from "../host/shared-launch.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";
import { type EntryRun, tryCanary, tryEntry } from "./entry-run.ts";
import { modsOf } from "./mods.ts";
import { keepSeen, type Seen } from "./seen.ts";

/**
 * Each attached host: our entries still stand in its settings as it reads them, its own switches and trust let them run, and the entry's
 * exact text, given to a shell, reaches hookpkg and has a made-up call cancelled. Then code of the host's own that stands between hookpkg and the tool.
 */
export async function hostChecks(call: Call, home: Home): Promise<Check[]> {
  let records: readonly Recorded[];
  try {
    records = readRecords(home);
  } catch (error) {
    return [failed("hosts", error, setAside(fileOf(error, join(home.state, "attached.json")), "then: hookpkg attach"))];
  }
  if (records.length === 0) return [works("hosts", "none is attached: hookpkg attach lets one ask hookpkg")];
  const looked = await Promise.all(records.map((record) => lookAt(call, home, record)));
  await keepSeen(
    home,
    looked.map(({ seen }) => seen),
  );
  const isClaude = records.some(({ host }) => host === "claude-code");
  const mods = isClaude ? modChecks(hostHome(call, home), call.project ?? call.cwd) : [];
  return [...looked.flatMap(({ checks }) => checks), ...mods];
}

type Looked = { checks: readonly Check[]; seen: Seen };

async function lookAt(call: Call, home: Home, record: Recorded): Promise<Looked> {
  const settings = HOST_SETTINGS.find(({ host }) => host === record.host);
  const check = await attached(call, home, record);
  const version = settings && (await askedVersion(settings, call.env.PATH));
  const isStale = settings !== undefined && isForOther(settings, record, version);
  const versions = settings === undefined ? [] : versionChecks({ settings, record, version, isStale });
  const seen = { record, version: isStale ? record.version : (version ?? record.version) };
  if (!check.ok || settings === undefined) return { checks: [check, ...versions], seen };
  const base = hostHome(call, home);
  const root = call.project ?? call.cwd;
  const switched = await switchedOff(settings, { base, root });
  const off =
    switched === undefined ? [] : [broken(`${record.host}: its switches`, switched.text, `mend ${switched.file}`)];
  const { ran, canary } = await runs(record, { settings, cwd: root, base, mend: mendOf(record) }, home);
  return { checks: [check, ...versions, ...off, ...ran], seen: { ...seen, isCancelled: canary } };
}

/** Every entry is the same but for its event: the one that asks before a tool tells of all. */
async function runs(record: Recorded, place: Omit<EntryRun, "command">, home: Home) {
  const { settings } = place;
  const event = settings.entries.find(({ guards }) => guards)?.event ?? "";
  const command = entryCommand(record, settings, event);
  if (command === undefined) return { ran: [], canary: false };
  const ran = settings.shims ? undefined : await tryEntry({ ...place, command });
  const canary = await tryCanary({ ...place, command, event, home });
  return { ran: [ran, canary].filter((one) => one !== undefined), canary: canary?.ok === true };
}

function entryCommand({ files }: Recorded, { shimCommand }: HostSettings, event: string): string | undefined {
  const own = files.map(({ file }) => ({ path: file, text: openSettings(file).now?.text ?? "" }));
  return shimCommand ? shimCommand(own, event) : commandsIn(files.at(-1)?.groups?.[event])[0];
}

/** Entries that were written for another version, which takes others. Those for an unknown one do in every version. */
function isForOther(settings: HostSettings, { scope, version: before }: Recorded, now: string | undefined): boolean {
  if (scope === "shared" || before === undefined || now === undefined) return false;
  const [then, here] = [settingsAt(settings, before), settingsAt(settings, now)];
  return then.refusal !== here.refusal || !Bun.deepEquals(then.entries, here.entries);
}

type Versioned = { settings: HostSettings; record: Recorded; version: string | undefined; isStale: boolean };

/** What passes in this version of the host, and entries that are not for it. */
function versionChecks({ settings, record, version, isStale }: Versioned): Check[] {
  const name = `${record.host}: its version`;
  const weak = versionNotes(settings.host, version).weak.map((text) =>
    broken(name, text, `update ${record.host}, then: ${again(record)}`),
  );
  const stale = `its entries are for ${record.version}, and it is ${version}`;
  if (isStale || weak.length > 0) return [...weak, ...(isStale ? [broken(name, stale, again(record))] : [])];
  return version === undefined ? [] : [works(name, version)];
}

/** A mod sees a call before hookpkg does and may change it afterwards: nothing of ours can see that. */
function modChecks(base: string, root: string): Check[] {
  return modsOf(base, root)
    .filter(({ gates }) => gates)
    .map(({ name, file }) =>
      broken(
        `claude-code mod ${name}`,
        `${file} stands between hookpkg and the tool: what it changes, hookpkg does not see`,
        "claude plugin disable the plugin that brings it, or read it and keep it",
      ),
    );
}

/** A project's entry that does not find hookpkg is the right one: attaching again would change nothing. */
function mendOf(record: Recorded): string {
  return (record.scope === "shared" ? launchMend() : undefined) ?? again(record);
}

function again({ host, scope }: Recorded): string {
  return commandText("hookpkg", "attach", host, ...(scope === "shared" ? ["--shared"] : []));
}

async function attached(call: Call, home: Home, record: Recorded): Promise<Check> {
  const settings = HOST_SETTINGS.find(({ host }) => host === record.host);
  const file = record.files.at(-1)?.file ?? "";
  const name = `${record.host} in ${file}`;
  const mend = again(record);
  if (settings === undefined)
    return broken(name, "this hookpkg knows no such host", "use the hookpkg that attached it");
  try {
    if (!(await standsThere(record, settings.comments)))
      return broken(name, "hookpkg's entries are gone or changed", mend);
    if (settings.shims) return works(name, `${record.files.length} files`);
    const now = await ofSettings(file, readSettings(openSettings(file).now?.text ?? "", settings));
    const fault = settings.fault?.(now);
    if (fault !== undefined) return broken(name, fault, `mend ${file}`);
    const commands = Object.values(record.files.at(-1)?.groups ?? {}).flatMap(commandsIn);
    const [untrusted] =
      settings.host === "codex" ? await codexNotes({ commands, base: hostHome(call, home), ...call }) : [];
    if (untrusted?.startsWith("NOT ACTIVE")) return broken(name, untrusted, "start codex and type /hooks");
    return works(name, `${commands.length} entries${untrusted === undefined ? "" : `, ${untrusted}`}`);
  } catch (error) {
    return failed(name, error, mend);
  }
}
