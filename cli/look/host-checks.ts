import { join } from "node:path";
import { commandsIn, HOST_SETTINGS, readSettings } from "@hookpkg/hosts";
import type { Home } from "@hookpkg/runtime";
import type { Call } from "../command.ts";
import { commandText } from "../command-text.ts";
import { hostHome } from "../host/attach.ts";
import { type Recorded, readRecords } from "../host/attached-record.ts";
import { standsThere } from "../host/attachment.ts";
import { codexNotes } from "../host/host-notes.ts";
import { openSettings } from "../host/settings-file.ts";
import { broken, type Check, failed, fileOf, setAside, works } from "./check.ts";

/** Each attached host: our entries still stand in its settings as it reads them, and its own switches and trust let them run. */
export async function hostChecks(call: Call, home: Home): Promise<Check[]> {
  let records: readonly Recorded[];
  try {
    records = readRecords(home);
  } catch (error) {
    return [failed("hosts", error, setAside(fileOf(error, join(home.state, "attached.json")), "then: hookpkg attach"))];
  }
  if (records.length === 0) return [works("hosts", "none is attached: hookpkg attach lets one ask hookpkg")];
  return Promise.all(records.map((record) => attached(call, home, record)));
}

async function attached(call: Call, home: Home, record: Recorded): Promise<Check> {
  const settings = HOST_SETTINGS.find(({ host }) => host === record.host);
  const file = record.files.at(-1)?.file ?? "";
  const name = `${record.host} in ${file}`;
  const again = commandText("hookpkg", "attach", record.host, ...(record.scope === "shared" ? ["--shared"] : []));
  if (settings === undefined)
    return broken(name, "this hookpkg knows no such host", "use the hookpkg that attached it");
  try {
    if (!(await standsThere(record, settings.comments)))
      return broken(name, "hookpkg's entries are gone or changed", again);
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
    return failed(name, error, again);
  }
}
