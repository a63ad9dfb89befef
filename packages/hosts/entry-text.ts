import type { AttachableHost, Entry, HostSettings } from "./settings.ts";

/** How hookpkg is started from a person's own entry: words of the command, `--home` when it was given, and the person's state folder. */
export type Launch = { program: readonly string[]; home?: string; state: string };

/** What `hookpkg run … --entry` ends with where hosts want 0: whatever ends early by itself, or is made to, ends with another. */
export const ENTRY_END = 93;

/**
 * Variables that make our program, or the loader or shell before it, run other code. Projects can set them for hooks, and PATH too:
 * every program is named in full.
 */
const CLEAN = [
  ...[
    "BUN_OPTIONS",
    "BUN_BE_BUN",
    "BUN_INSPECT",
    "BUN_INSPECT_PRELOAD",
    "BUN_INSPECT_NOTIFY",
    "BUN_INSPECT_CONNECT_TO",
  ],
  ...["BUN_RUNTIME_TRANSPILER_CACHE_PATH", "NODE_OPTIONS", "NODE_CHANNEL_FD"],
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GCONV_PATH", "BASH_ENV", "ENV", "SHELLOPTS"],
];

/**
 * One simple command for whatever shell a host uses: a function that the environment hands to bash can't have its name, which has a slash.
 * The sh inside, be it bash, knows its special builtins (`exit`, `set`) before any function.
 */
function inShell(script: string): string {
  return `/usr/bin/env ${CLEAN.map((name) => `-u ${name}`).join(" ")} /bin/sh -c ${quoted(script)}`;
}

const PRINT = "/usr/bin/printf '%s\\n'";
const REFUSED = "hookpkg did not finish, and a closed guard could not be asked, so this is refused";
const MISSING = "this project wants hookpkg, which is not installed here, so this is refused";
const UNJUDGED = JSON.stringify({ systemMessage: "hookpkg did not finish: no hook has run" });
const ABSENT = JSON.stringify({
  systemMessage: "this project wants hookpkg, which is not installed here: no hook has run",
});

/** The command of a person's own entry. */
export function personalText(settings: HostSettings, entry: Entry, { program, home, state }: Launch): string {
  const words = [...program, "run", ranAs(settings), ...(home === undefined ? [] : ["--home", home]), "--entry"];
  return inShell(`${words.map(quoted).join(" ")}; ${endText(settings, entry, quoted(`${state}/closed/any`))}`);
}

/**
 * The command of a project's entry, the same for the whole team: hookpkg is looked for where only root or the person can have put
 * it, never on the PATH. Where it is missing, the two events before a tool are refused.
 */
export function sharedText(settings: HostSettings, entry: Entry): string {
  const missing = entry.guards ? refuseText(settings, entry, MISSING) : `${PRINT} ${quoted(ABSENT)}; exit 0`;
  const places = sharedPlaces("$*").map((place) => (place.startsWith("$") ? `"${place}"` : place));
  const tries = places.map((place) => `/usr/bin/test -x ${place}; then ${place} run ${ranAs(settings)} --entry`);
  return inShell(
    [
      "PATH=/usr/local/bin:/usr/bin:/bin",
      'set -- "$(/usr/bin/getent passwd "$(/usr/bin/id -u)" | /usr/bin/cut -d: -f6)"',
      `if ${tries.join("; elif ")}`,
      `else ${missing}`,
      `fi; ${endText(settings, entry, '"$*/.local/state/hookpkg/closed/any"')}`,
    ].join("; "),
  );
}

/** Where a project's entry looks for hookpkg, in its order. `home`: of the password database. */
export function sharedPlaces(home: string): string[] {
  return ["/usr/local/bin/hookpkg", "/usr/bin/hookpkg", `${home}/.local/bin/hookpkg`];
}

function ranAs({ host, runs }: HostSettings): AttachableHost {
  return runs ?? host;
}

/**
 * Killed, out of memory, crashed, not there: ENTRY_END and 2 are the only ends that hookpkg has. `any` is there while a closed guard is. No
 * `$NAME` stands in any text: Gemini CLI and its forks put values of the environment in its place, which a project can set.
 */
function endText(settings: HostSettings, entry: Entry, any: string): string {
  const refuse = entry.guards ? `if /usr/bin/test -e ${any}; then ${refuseText(settings, entry, REFUSED)}; fi; ` : "";
  return `case $? in ${ENTRY_END}) exit 0;; 2) exit 2;; esac; ${refuse}${PRINT} ${quoted(UNJUDGED)}`;
}

function refuseText({ refusal }: HostSettings, { event }: Entry, sentence: string): string {
  const { to, text, exit = 2 } = refusal(sentence, event);
  return `${PRINT} ${quoted(text)}${to === "stderr" ? " >&2" : ""}; exit ${exit}`;
}

/** Whether an entry itself refused: hookpkg was not there, or did not finish. */
export function isEntryRefusal(text: string): boolean {
  return text.includes(REFUSED) || text.includes(MISSING);
}

/** Left alone when it needs no quotes, so that a person can read the entry. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Whether a path can stand in an entry: hosts put their own values in the place of `$NAME` and `${NAME}`, whatever the quotes, and
 * a line ends at its end.
 */
export function isEntryPath(path: string): boolean {
  return path.startsWith("/") && !/[\u0000-\u001f\u007f$`]/.test(path);
}

/** Whether a command is one of our entries, of this version or another: to be told apart from a person's own. */
export function isOwnText(command: string, host: AttachableHost): boolean {
  return command.includes("BUN_OPTIONS") && command.includes("-u BUN_BE_BUN") && command.includes(` run ${host}`);
}
