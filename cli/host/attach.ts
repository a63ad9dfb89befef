import { join, resolve } from "node:path";
import { isFault } from "@hookpkg/fault";
import { HOST_SETTINGS, type HostSettings, type Launch, settingsAt } from "@hookpkg/hosts";
import { type Home, homeFolders, sandboxOf } from "@hookpkg/runtime";
import { type Attachment, type CommandData, EXIT } from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { faultText } from "../failure.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { insideHost } from "../trust/inside-host.ts";
import { adviceLines, pageLines } from "../trust/page.ts";
import { listed } from "./attach-list.ts";
import { type Recorded, readRecords, whileAttaching, writeRecords } from "./attached-record.ts";
import { type Plan, planAttach } from "./attachment.ts";
import { hostNotes } from "./host-notes.ts";
import { eventsOf, isHere, type Place, personalPlace, settingsOf, settingsText, sharedPlace } from "./host-place.ts";
import { askedVersion } from "./host-version.ts";
import { openSettings } from "./settings-file.ts";
import { isCompiled, launchMend } from "./shared-launch.ts";

type Data = CommandData["attach"] | CommandData["attach --list"] | CommandData["attach --print"];

/** Writes our entries into the settings of hosts, so that they ask hookpkg at their events. */
export async function run(call: Call): Promise<Done<Data>> {
  const home = homeFolders(call.home);
  const base = hostHome(call, home);
  const [list, print] = [call.flags.on("list"), call.flags.on("print")];
  if (list && (print || call.args.length > 0)) throw refuse("E_USAGE", { expected: "--list alone" });
  if (list) return listed(call, home, base);
  const places = await Promise.all(wanted(call, base).map((settings) => placeOf(call, settings, home, base)));
  if (print) return printed(places);
  // Nobody attaches guards that would be held at every event.
  const sandbox = await sandboxOf(home, process.execPath);
  if (!sandbox.available) throw sandbox.fault;
  const hosts = await whileAttaching(home, () => attachAll(call, home, base, places));
  const [failed] = hosts.filter(({ state }) => state === "failed");
  return { data: { hosts }, lines: hosts.flatMap(lines), ...(failed ? { exit: EXIT.failed } : {}) };
}

/** Where the person's hosts keep their settings: hookpkg's own idea of the home, never the environment's. */
export function hostHome(call: Call, home: Home): string {
  const named = call.flags.text("host-home");
  return named === undefined ? home.base : resolve(call.cwd, named);
}

/** The hosts that were named, else all that are here. E_ATTACH_NO_HOST. */
function wanted(call: Call, base: string): readonly HostSettings[] {
  if (call.args.length > 0) return [...new Set(call.args.map(settingsOf))];
  const here = HOST_SETTINGS.filter((settings) => isHere(settings, base, call.env.PATH));
  if (here.length === 0) throw refuse("E_ATTACH_NO_HOST", { looked: base });
  return here;
}

/** A person's own entries are for the version that is here; those of a project must do for everybody's. */
async function placeOf(call: Call, host: HostSettings, home: Home, base: string): Promise<Place> {
  const version = await askedVersion(host, call.env.PATH);
  const known = version === undefined ? {} : { version };
  if (call.flags.on("shared")) return { ...sharedPlace(host, projectRoot(call)), ...known };
  const launch: Launch = {
    program: ownProgram(),
    state: home.state,
    ...(call.home === undefined ? {} : { home: call.home }),
  };
  const entriesFor = host.runs === undefined ? version : await askedVersion(settingsOf(host.runs), call.env.PATH);
  return { ...personalPlace(settingsAt(host, entriesFor), base, launch), ...known };
}

/** This very program: the compiled binary, or bun with the source. */
function ownProgram(): string[] {
  if (isCompiled()) return [process.execPath];
  const flags = ["--config=/dev/null", "--no-env-file", "--no-install"];
  return [process.execPath, ...flags, join(import.meta.dir, "..", "main.ts")];
}

async function attachAll(call: Call, home: Home, base: string, places: readonly Place[]): Promise<Attachment[]> {
  const done: Attachment[] = [];
  for (const place of places) {
    try {
      done.push(await attachOne(call, home, base, place));
    } catch (error) {
      if (!isFault(error) || places.length === 1) throw error;
      const { settings, scope, file } = place;
      const { code, message, facts } = error;
      const hint = adviceFor(code, { command: "attach", facts });
      done.push({
        ...{ host: settings.host, scope, file, state: "failed", events: [], notes: [] },
        error: { code, message, ...(hint === undefined ? {} : { hint }), facts },
      });
    }
  }
  return done;
}

async function attachOne(call: Call, home: Home, base: string, place: Place): Promise<Attachment> {
  const records = readRecords(home);
  const old = records.find((record) => isOf(record, place));
  const plan = await planAttach(home, place, old, () => refuseInHost(call, home));
  const { state, file, settings, write } = plan;
  const record = recordOf(plan, place, old);
  if (state !== "already" || !Bun.deepEquals(record, old))
    writeRecords(home, [...records.filter((one) => one !== old), record]);
  try {
    write();
  } catch (error) {
    writeRecords(home, records);
    throw error;
  }
  const notes = await hostNotes({ place, settings, base, cwd: call.cwd, env: call.env });
  const mend = place.scope === "shared" ? launchMend() : undefined;
  const done = { host: place.settings.host, scope: place.scope, file, state, events: eventsOf(place), notes };
  return mend === undefined ? done : { ...done, mend };
}

/** What a made-up call showed of entries says nothing of others. */
function recordOf({ state, record }: Plan, { version }: Place, old: Recorded | undefined): Recorded {
  const canary = state === "already" ? old?.canary : undefined;
  return {
    ...(state === "already" && old !== undefined ? { ...record, files: old.files, folders: old.folders } : record),
    ...(version === undefined ? {} : { version }),
    ...(canary === undefined ? {} : { canary }),
  };
}

/** An agent must not put other words into the entries that ask about it. */
export function refuseInHost(call: Call, home: Home): void {
  const inside = insideHost(call, home);
  if (inside) throw refuse("E_ATTACH_IN_HOST", inside.facts, inside);
}

/** A person's settings of a host are one file; every project has its own. */
function isOf({ host, scope, files }: Recorded, place: Place): boolean {
  return (
    host === place.settings.host &&
    scope === place.scope &&
    files.some(({ file }) => file === place.file || file === realSettings(place.file))
  );
}

/** The file's real path; what cannot be resolved is refused when it is opened. */
function realSettings(file: string): string {
  try {
    return openSettings(file).file;
  } catch {
    return file;
  }
}

function lines({ host, state, file, events, notes, mend, error }: Attachment): string[] {
  if (error) {
    const hint = error.hint === undefined ? [] : pageLines(error.hint, "  ");
    return [...pageLines(`${host}: failed: ${faultText(error)}`), ...hint];
  }
  const said = {
    attached: "attached",
    changed: "its entries were renewed",
    already: "attached already",
    failed: "failed",
  };
  return [
    ...pageLines(`${host}: ${said[state]}, ${events.length} events in ${file}`),
    ...(mend === undefined ? [] : adviceLines(NOT_FOUND, mend, "  ")),
    ...notes.flatMap((note) => pageLines(note, "  ")),
  ];
}

const NOT_FOUND = "NOT ACTIVE here: its entries do not find hookpkg on this machine, and refuse every tool call, until";

function printed(places: readonly Place[]): Done<CommandData["attach --print"]> {
  const hosts = places.map((place) => ({
    host: place.settings.host,
    file: place.file,
    settings: place.own
      ? Object.fromEntries(place.own.map(({ file, text }) => [file, text]))
      : JSON.parse(settingsText(place)),
  }));
  const files = (place: Place) => place.own ?? [{ file: place.file, text: settingsText(place) }];
  return {
    data: { hosts },
    lines: places.flatMap((place) =>
      files(place).flatMap(({ file, text }) => [`# ${file}`, ...text.trimEnd().split("\n")]),
    ),
  };
}
