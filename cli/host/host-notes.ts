import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { commandsIn, groupsOf, type HostSettings, isOwnText, readSettings, versionNotes } from "@hookpkg/hosts";
import { askCodex, type CodexHook } from "./codex-trust.ts";
import { type Place, programOn, realPath } from "./host-place.ts";
import { earlyVariables, earlyVariableText } from "./project-environment.ts";
import { openSettings } from "./settings-file.ts";

export type Noting = {
  place: Place;
  /** The settings as they are now. */
  settings: Readonly<Record<string, unknown>>;
  base: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** What the person must know after an attach: why the host would not run our entries, what it cannot do, what its own trust wants. */
export async function hostNotes({ place, settings, base, cwd, env }: Noting): Promise<string[]> {
  const { settings: host, scope, version } = place;
  const { weak, trust } = versionNotes(host.host, version);
  const fault = host.fault?.(await switchesOf(place, base, settings));
  return [
    ...(fault === undefined ? [] : [`NOT ACTIVE: ${fault}`]),
    ...strangers(place, settings),
    ...(host.host === "codex" ? await codexNotes({ commands: commandsOf(place), base, cwd, env }) : []),
    ...(scope === "personal" ? homeNotes(host, base, env) : trust),
    ...weak,
    ...earlyVariables(cwd).map(earlyVariableText),
    ...host.limits,
  ];
}

/** An extension has no switches: those stand in the person's settings of the host. */
async function switchesOf({ settings: host, scope }: Place, base: string, settings: Noting["settings"]) {
  if (scope === "shared" || host.personal.kind !== "extension") return settings;
  try {
    return await readSettings(openSettings(join(base, host.shared)).now?.text ?? "{}", host);
  } catch (error) {
    if (isFault(error)) return {}; // not our file: what is wrong with it is the host's to say
    throw error;
  }
}

/** Entries of another hookpkg, or of another `--home`, are another person's guards: they stay, and both are asked. */
function strangers(place: Place, settings: Noting["settings"]): string[] {
  const ours = commandsOf(place);
  const all = Object.keys(place.groups).flatMap((event) => groupsOf(settings, event));
  const other = all
    .flatMap(commandsIn)
    .some((command) => !ours.includes(command) && isOwnText(command, place.settings.runs ?? place.settings.host));
  return other ? ["an entry of another hookpkg or another --home stands there, too: both are asked"] : [];
}

function commandsOf({ groups }: Place): string[] {
  return Object.values(groups).flatMap(commandsIn);
}

type Asking = Pick<Noting, "base" | "cwd" | "env"> & { commands: readonly string[] };

/** What Codex itself says of these commands of ours; the first line says whether it runs them. */
export async function codexNotes({ commands, base, cwd, env }: Asking): Promise<string[]> {
  const program = programOn("codex", env.PATH);
  const asked = program && (await askCodex({ program, home: base, cwd, path: env.PATH ?? "", commands }));
  const open = "start codex, type /hooks, look at hookpkg's commands and trust them";
  if (!asked) return [`NOT ACTIVE until Codex trusts it, which could not be asked: ${open}`];
  if (asked.length === 0)
    return ["NOT ACTIVE: Codex does not list these hooks; is the project trusted, and are hooks on?"];
  const without = asked.filter(({ trust, enabled }) => !enabled || (trust !== "trusted" && trust !== "managed"));
  if (without.length === 0) return [`Codex trusts its ${asked.length} hooks`];
  return [`NOT ACTIVE until Codex trusts it: ${open}`, ...without.map(codexLine)];
}

function codexLine({ event, trust, hash, enabled }: CodexHook): string {
  return `${event}: ${enabled ? trust : "disabled"}, ${hash}`;
}

/** Hosts go by variables that hookpkg never does: where they point elsewhere, the host reads other settings. */
function homeNotes({ folderVariable: named }: HostSettings, base: string, env: Noting["env"]): string[] {
  const own = named === undefined ? undefined : env[named.name];
  if (named !== undefined && own && realPath(own) !== realPath(join(base, named.folder)))
    return [`${named.name} is ${own}: the host reads its settings there, where nothing was written`];
  if (env.HOME && realPath(env.HOME) !== realPath(base))
    return [`HOME is ${env.HOME}, and this was written below ${base}: --host-home names another`];
  return [];
}
