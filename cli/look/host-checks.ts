import { join } from "node:path";
import { commandsIn, HOST_SETTINGS, readSettings } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { hostHome } from "../host/attach.ts";
import { type Recorded, readRecords } from "../host/attached-record.ts";
import { standsThere } from "../host/attachment.ts";
import { codexNotes } from "../host/host-notes.ts";
import { switchedOff } from "../host/reach.ts";
import { openSettings } from "../host/settings-file.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";
import { tryEntry } from "./entry-run.ts";
import { modsOf } from "./mods.ts";

/**
 * Each attached host: our entries still stand in its settings as it reads them, its own switches and trust let them run, and the entry's
 * exact text, given to a shell, reaches hookpkg. Then code of the host's own that stands between hookpkg and the tool.
 */
export async function hostChecks(call: Call, home: Home): Promise<Check[]> {
  let records: readonly Recorded[];
  try {
    records = readRecords(home);
  } catch (error) {
    return [failed("hosts", error, setAside(fileOf(error, join(home.state, "attached.json")), "then: hookpkg attach"))];
  }
  if (records.length === 0) return [works("hosts", "none is attached: hookpkg attach lets one ask hookpkg")];
  const hosts = await Promise.all(records.map((record) => checksOf(call, home, record)));
  const isClaude = records.some(({ host }) => host === "claude-code");
  return [...hosts.flat(), ...(isClaude ? modChecks(hostHome(call, home), call.project ?? call.cwd) : [])];
}

async function checksOf(call: Call, home: Home, record: Recorded): Promise<Check[]> {
  const check = await attached(call, home, record);
  const settings = HOST_SETTINGS.find(({ host }) => host === record.host);
  if (!check.ok || settings === undefined) return [check];
  const base = hostHome(call, home);
  const [command] = Object.values(record.files.at(-1)?.groups ?? {}).flatMap(commandsIn);
  const switched = await switchedOff(settings, { base, root: call.project ?? call.cwd });
  const off =
    switched === undefined ? [] : [broken(`${record.host}: its switches`, switched.text, `mend ${switched.file}`)];
  const mend = again(record);
  const ran = command === undefined ? undefined : await tryEntry({ settings, command, cwd: base, base, mend });
  return [check, ...off, ...(ran === undefined ? [] : [ran])];
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
    const now = await readSettings(openSettings(file).now?.text ?? "", settings);
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
