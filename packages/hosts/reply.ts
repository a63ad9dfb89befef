import { type Decision, eventRow, foldEvent } from "@hookpkg/spec";
import type { HostReply } from "./adapter.ts";

const MAX_PERSON_LINE = 100;
const MAX_PERSON_LINES = 10;
const MAX_REFUSAL = 2000;

/** No opinion, on every host: an empty answer. */
export const PASS: HostReply = { exit: 0, stdout: "", stderr: "" };

/** One line of JSON and nothing else on stdout: text before it makes a deny unread. */
export function said(answer: object): HostReply {
  return Object.keys(answer).length === 0 ? PASS : { exit: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: "" };
}

/** Every host reads a blank reason as no refusal, or shows none. */
export function reasonOr(reason: string | undefined, otherwise: string): string {
  const clean = plain(reason ?? "").trim();
  return clean === "" ? otherwise : clean;
}

/** The refusal that stands for a hook's question where the host can't put it to anybody. */
export function unasked({ reason }: Pick<Decision, "reason">): string {
  return `approval was needed and cannot be asked for here: ${reasonOr(reason, "a hook asks")}`;
}

/** Lines for the person: short, few, without anything that steers a terminal. */
export function personText(lines: readonly string[]): string | undefined {
  const clean = lines.map((line) => shortened(plain(line).replace(/\s+/g, " ").trim())).filter((line) => line !== "");
  const shown =
    clean.length > MAX_PERSON_LINES
      ? [...clean.slice(0, MAX_PERSON_LINES - 1), `and ${clean.length - MAX_PERSON_LINES + 1} more`]
      : clean;
  return shown.length === 0 ? undefined : shown.join("\n");
}

/** Exit 2, a reason on stderr and an empty stdout: understood by every host that we serve, at most of its events. */
export function refusal(event: { name?: string }, reason: string): HostReply {
  return { exit: isGuarded(event.name) ? 2 : 0, stdout: "", stderr: `${refusalWords(reason)}\n` };
}

/** The same where a host obeys no exit code, but ends what it began when told so. */
export function ending(reason: string): HostReply {
  return said({ continue: false, stopReason: refusalWords(reason) });
}

function refusalWords(reason: string): string {
  return reasonOr(reason, "hookpkg could not judge this").slice(0, MAX_REFUSAL);
}

/** Where there is nothing to refuse, and where a refusal (Stop) would keep the agent going for ever. A name that we don't know is guarded. */
function isGuarded(name: string | undefined): boolean {
  const event = name === undefined ? undefined : foldEvent(name);
  if (event === undefined) return true;
  return event !== "Stop" && event !== "SubagentStop" && eventRow(event).may.includes("cancel");
}

/** Without control characters (line ends and tabs excepted) and without signs that reorder text. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

function shortened(line: string): string {
  const signs = [...line];
  return signs.length <= MAX_PERSON_LINE ? line : `${signs.slice(0, MAX_PERSON_LINE - 1).join("")}…`;
}
