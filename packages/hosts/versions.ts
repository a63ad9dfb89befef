import { compareVersions, isVersion } from "@hookpkg/spec";
import { claudeCodeVersions } from "./claude-code/versions.ts";
import { copilotCliVersions } from "./copilot-cli/versions.ts";
import { cursorVersions } from "./cursor/versions.ts";
import { qwenCodeVersions } from "./qwen-code/versions.ts";
import type { AttachableHost, Entry, HostSettings } from "./settings.ts";

/** What follows for us from something that a host does in some of its versions only. */
export type VersionEffect =
  /** The host has none of these events, by its own names. */
  | { kind: "events"; absent: readonly string[] }
  /** It knows this field of an entry not: ours go without it. */
  | { kind: "field"; absent: string }
  /** An exit code refuses a call there: entries may end with 2. Where nobody knows, they refuse by an answer, which every version reads. */
  | { kind: "exit-refuses" }
  /** A call passes that other versions refuse: the person is told, and of the version from which on it is refused. */
  | { kind: "passes"; until: string }
  /** What a project's own hooks still want of the person. */
  | { kind: "project-trust" };

/** Holds in the versions before one, or since one. `what`: a sentence that goes on after the host's name and version. */
export type VersionRow = ({ before: string } | { since: string }) & { what: string; effect: VersionEffect };

/** By host; a host whose behaviour is not known to differ has no table. */
const VERSIONS: Readonly<Partial<Record<AttachableHost, readonly VersionRow[]>>> = {
  "claude-code": claudeCodeVersions,
  "copilot-cli": copilotCliVersions,
  cursor: cursorVersions,
  "qwen-code": qwenCodeVersions,
};

/** Versions of dates are of another numbering, which no row speaks of. */
const MAX_MAJOR = 1000;

/** A host's own word for its version in the one form that rows compare; undefined: it says none. */
export function hostVersion(text: string): string | undefined {
  const [, major = "", minor = "0", patch = "0"] =
    /(?:^|[^\d.])(\d{1,9})[.-](\d{1,9})(?:[.-](\d{1,9}))?/.exec(text) ?? [];
  const version = [major, minor, patch].map((part) => (part === "" ? "" : String(Number(part)))).join(".");
  return isVersion(version) && Number(major) < MAX_MAJOR ? version : undefined;
}

/** The rows that hold for a version. Of an unknown one only what the newest known version does, and nothing that counts on it. */
function rowsFor(host: AttachableHost, version: string | undefined): readonly VersionRow[] {
  if (version === undefined) return [];
  return (VERSIONS[host] ?? []).filter((row) =>
    "before" in row ? compareVersions(version, row.before) < 0 : compareVersions(version, row.since) >= 0,
  );
}

/** A host's entries as this version takes them: of the host, or of the one whose entries it runs. */
export function settingsAt(settings: HostSettings, version: string | undefined): HostSettings {
  const effects = rowsFor(settings.runs ?? settings.host, version).map(({ effect }) => effect);
  const unknown = effects.flatMap((effect) => (effect.kind === "field" ? [effect.absent] : []));
  const byExit = effects.some(({ kind }) => kind === "exit-refuses") ? settings.exitRefusal : undefined;
  return {
    ...settings,
    entries: settings.entries.map((entry) => withoutFields(entry, unknown)),
    ...(byExit ? { refusal: byExit } : {}),
  };
}

function withoutFields({ fields, ...entry }: Entry, unknown: readonly string[]): Entry {
  const known = Object.entries(fields ?? {}).filter(([name]) => !unknown.includes(name));
  return known.length === 0 ? entry : { ...entry, fields: Object.fromEntries(known) };
}

/** Events of a host, by its own names, that this version of it has. */
export function eventsAt(host: AttachableHost, version: string | undefined, events: readonly string[]): string[] {
  const absent = rowsFor(host, version).flatMap(({ effect }) => (effect.kind === "events" ? effect.absent : []));
  return events.filter((event) => !absent.includes(event));
}

/** What a person must know of the version that is here: calls that pass in it, events that it has not, what it wants for a project. */
export function versionNotes(host: AttachableHost, version: string | undefined): { weak: string[]; trust: string[] } {
  const rows = rowsFor(host, version);
  const named = ({ what }: VersionRow) => `${host} ${version} ${what}`;
  return {
    weak: rows.flatMap((row) => {
      const { effect } = row;
      if (effect.kind === "passes") return [`${named(row)}: update to ≥ ${effect.until}`];
      return effect.kind === "events" && "before" in row ? [`${named(row)}: update to ≥ ${row.before}`] : [];
    }),
    trust: rows.filter(({ effect }) => effect.kind === "project-trust").map(named),
  };
}
