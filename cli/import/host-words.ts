import { hostWords, knownEvent } from "@hookpkg/hosts";
import { eventRow } from "@hookpkg/spec";
import type { Found } from "./hooks.ts";
import type { Asked } from "./rights.ts";
import { placeOfSign, type ScriptText } from "./script-text.ts";
import type { Source } from "./source.ts";
import type { Tree } from "./tree.ts";

type Worded = { text: string; notes: string[] };
type Hook = { texts: readonly ScriptText[] } & Pick<Found, "matcher" | "event">;

/** A line that says the same to sh and to bash: words, and what joins programs. */
const SAME_TO_SH = /^[\w\s./"':@%+,=|&>;-]*$/;
const OF_BASH = /&>|\|&|==|\b(source|function|declare|local|shopt|read|let|set|time|pushd|popd|trap)\b/;

/** What its host hands to bash is handed to bash; ours is sh. */
export function inItsShell(line: string, shell: unknown): Worded & { asked: Asked[] } {
  const plain = line.replace(/\$\{(PLUGIN_ROOT|PLUGIN_DATA|PROJECT_DIR)\}/g, "");
  if (shell !== "bash" || (SAME_TO_SH.test(plain) && !OF_BASH.test(plain))) return { text: line, notes: [], asked: [] };
  return {
    text: `bash -c '${line.replaceAll("'", `'\\''`)}'`,
    notes: ["its shell is bash there: bash -c runs it"],
    asked: [{ kind: "program", name: "bash", why: "its host's shell" }],
  };
}

/** A hook is told of events in its host's own words, and is understood in its own: what it says, where, and how it ends. */
export function inHostWords(text: string, hook: Hook, { host }: Source, tree: Tree): Worded {
  const told = toldIn(hook, host);
  const file = (name: string) => `hooks/${host.adapter.name}-${name}.sed`;
  const notes: string[] = [];
  let now = text;
  if (told !== undefined) {
    tree.put(file(told.name), told.sed);
    notes.push(`it speaks of ${told.word}: ${file(told.name)} gives it the event in ${host.adapter.name}'s words`);
    now = `sed -f \${PLUGIN_ROOT}/${file(told.name)} | {\n${now}\n}`;
  }
  const says = (host.says ?? []).filter(({ sign }) => placeOfSign(hook.texts, sign) !== undefined);
  const hearsStderr =
    host.hearsStderr === true &&
    [TALKS_TO_STDERR, ANSWERS].every((sign) => placeOfSign(hook.texts, sign) !== undefined);
  const refusesFrom = isGuarded(hook, host) ? host.refusesFrom : undefined;
  if (says.length > 0) {
    tree.put(file("answers"), `${(host.says ?? []).map(({ sed }) => sed).join("\n")}\n`);
    notes.push(`it answers as ${host.adapter.name} has it: ${file("answers")} puts that in hookpkg's words`);
  }
  if (hearsStderr) notes.push("an answer on stderr counts there, where stdout is empty: so it does here");
  if (refusesFrom !== undefined)
    notes.push(`an exit of ${refusesFrom} and more refuses at ${host.adapter.name}: it is 2 here`);
  const end = refusesFrom === undefined ? "" : `[ $code -lt ${refusesFrom} ] || code=2; `;
  const put = says.length === 0 ? "" : ` | sed -f \${PLUGIN_ROOT}/${file("answers")}`;
  if (hearsStderr)
    now = `said=$({\n${now}\n} 2>/tmp/stderr); code=$?\ncat /tmp/stderr >&2\n${HEARD}printf '%s\\n' "$said"${put}; ${end}exit $code`;
  else if (put !== "") now = `said=$(${now}\n); code=$?\nprintf '%s\\n' "$said"${put}; ${end}exit $code`;
  else if (end !== "") now = `(${now}\n); code=$?; ${end}exit $code`;
  return { text: now, notes };
}

const TALKS_TO_STDERR = />\s?&\s?2|\/dev\/stderr|\bstderr\b|console\.(error|warn)|\bwarn\b/;

const ANSWERS = /decision|permissionDecision|\bcontinue\b/i;

/** Only where it is all there is, and looks like an answer. */
const HEARD = 'case $said in "") case $(cat /tmp/stderr) in {*) said=$(cat /tmp/stderr) ;; esac ;; esac\n';

/** Whether how it ends refuses anything: a turn that has ended is no action. */
function isGuarded({ event }: Hook, { adapter }: Source["host"]): boolean {
  const known = knownEvent(adapter, event);
  return known !== undefined && known !== null && known !== "Stop" && eventRow(known).may.includes("cancel");
}

function toldIn(
  { texts, matcher }: Hook,
  host: Source["host"],
): { name: string; word: string; sed: string } | undefined {
  const own = hostWords(host);
  const word = own?.words.find((one) => placeOfSign(texts, new RegExp(`\\b${one}\\b`)) !== undefined);
  const field = ["tool_name", "hook_event_name"].find((one) => placeOfSign(texts, new RegExp(one)) !== undefined);
  if (own !== null && (word ?? field) !== undefined) return { name: "words", word: word ?? field ?? "", sed: own.sed };
  const { tells } = host;
  if (tells === undefined || placeOfSign(texts, tells.sign) === undefined) return undefined;
  const isAll = ["", "*"].includes((matcher ?? "").trim());
  const fits = isAll || tells.tools.some((tool) => host.rules.matches(matcher ?? "", tool) === true);
  return fits ? { name: "patch", word: tells.what, sed: tells.sed } : undefined;
}
