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

/** Lines for the person: short, few, without anything that steers a terminal. */
export function personText(lines: readonly string[]): string | undefined {
  const clean = lines.map((line) => shortened(plain(line).replace(/\s+/g, " ").trim())).filter((line) => line !== "");
  const shown =
    clean.length > MAX_PERSON_LINES
      ? [...clean.slice(0, MAX_PERSON_LINES - 1), `and ${clean.length - MAX_PERSON_LINES + 1} more`]
      : clean;
  return shown.length === 0 ? undefined : shown.join("\n");
}

/** Events at which a refusal guards nothing, or (Stop) would keep the agent going for ever. */
const UNGUARDED = new Set(
  "SessionStart SessionEnd Stop SubagentStart SubagentStop Notification PostCompact StopFailure Interrupt".split(" "),
);

/** Exit 2, a reason on stderr and an empty stdout: understood by every host that we serve. */
export function refusal(event: { name?: string }, reason: string): HostReply {
  const words = reasonOr(reason, "hookpkg could not judge this").slice(0, MAX_REFUSAL);
  return { exit: event.name !== undefined && UNGUARDED.has(event.name) ? 0 : 2, stdout: "", stderr: `${words}\n` };
}

/** Without control characters (line ends and tabs excepted) and without signs that reorder text. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

function shortened(line: string): string {
  const signs = [...line];
  return signs.length <= MAX_PERSON_LINE ? line : `${signs.slice(0, MAX_PERSON_LINE - 1).join("")}…`;
}
