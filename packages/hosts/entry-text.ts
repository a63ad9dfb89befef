import type { AttachableHost, Entry, HostSettings } from "./settings.ts";

/** How hookpkg is started from a person's own entry: words of the command, `--home` when it was given, and the person's state folder. */
export type Launch = { program: readonly string[]; home?: string; state: string };

/**
 * Variables that make our program, or the loader before it, run other code. Projects can set them for hooks, and PATH too: `env`
 * itself is named in full.
 */
const CLEAN = [
  "BUN_OPTIONS",
  "BUN_BE_BUN",
  "BUN_INSPECT",
  "BUN_INSPECT_PRELOAD",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
];
const ENV = `/usr/bin/env ${CLEAN.map((name) => `-u ${name}`).join(" ")}`;

const REFUSED = "hookpkg did not finish, and a closed guard could not be asked, so this is refused";
const MISSING = "this project wants hookpkg, which is not installed here, so this is refused";
const UNJUDGED = JSON.stringify({ systemMessage: "hookpkg did not finish: no hook has run" });
const ABSENT = JSON.stringify({
  systemMessage: "this project wants hookpkg, which is not installed here: no hook has run",
});

/** The command of a person's own entry. */
export function personalText(settings: HostSettings, entry: Entry, { program, home, state }: Launch): string {
  const words = [...program, "run", ranAs(settings), ...(home === undefined ? [] : ["--home", home])];
  return `${ENV} ${words.map(quoted).join(" ")}; ${endText(settings, entry, quoted(`${state}/closed/any`))}`;
}

/**
 * The command of a project's entry, the same for the whole team: hookpkg is looked for where only root or the person can have put
 * it, never on the PATH. Where it is missing, the two events before a tool are refused.
 */
export function sharedText(settings: HostSettings, entry: Entry): string {
  const missing = entry.guards ? refuseText(settings, entry, MISSING) : `printf '%s\\n' ${quoted(ABSENT)}; exit 0`;
  const personal = '"$*/.local/bin/hookpkg"';
  return [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    'set -- "$(getent passwd "$(id -u)" | cut -d: -f6)"',
    `if command -v hookpkg >/dev/null; then ${ENV} hookpkg run ${ranAs(settings)}`,
    `elif [ -x ${personal} ]; then ${ENV} ${personal} run ${ranAs(settings)}`,
    `else ${missing}`,
    `fi; ${endText(settings, entry, '"$*/.local/state/hookpkg/closed/any"')}`,
  ].join("; ");
}

function ranAs({ host, runs }: HostSettings): AttachableHost {
  return runs ?? host;
}

/**
 * Killed, out of memory, crashed, not there: 0 and 2 are the only ends that hookpkg has. `any` is there while a closed guard is. No
 * `$NAME` stands in any text: Gemini CLI and its forks put values of the environment in its place, which a project can set.
 */
function endText(settings: HostSettings, entry: Entry, any: string): string {
  const refuse = entry.guards ? `[ -e ${any} ] && { ${refuseText(settings, entry, REFUSED)}; }; ` : "";
  return `case $? in 0) exit 0;; 2) exit 2;; esac; ${refuse}printf '%s\\n' ${quoted(UNJUDGED)}`;
}

function refuseText({ refusal }: HostSettings, { event }: Entry, sentence: string): string {
  const { to, text } = refusal(sentence, event);
  return `printf '%s\\n' ${quoted(text)}${to === "stderr" ? " >&2" : ""}; exit 2`;
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
