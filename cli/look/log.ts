import { followJournal, type Home, homeFolders, journalTail, projectAt, USER } from "@hookpkg/runtime";
import type { CommandData, JournalLine } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { projectRoot } from "../project/files.ts";
import { plainText } from "../terminal.ts";
import { writeAll } from "../write-all.ts";
import { countOf } from "./count.ts";

const DEFAULT_LINES = 100;
const MAX_LINES = 100_000;

type Wanted = { limit: number; keep: (line: JournalLine) => boolean };

/** The newest lines of the project's journal, oldest first; with `--follow` each new one, too, until Ctrl-C. */
export async function run(call: Call): Promise<Done<CommandData["log"]>> {
  const wanted = { limit: countOf(call, "limit", { absent: DEFAULT_LINES, max: MAX_LINES }), keep: keeper(call) };
  const home = homeFolders(call.home);
  const id = projectAt(home, projectRoot(call))?.id ?? USER;
  if (call.flags.on("follow")) return follow(call, { home, id, ...wanted });
  const { lines, torn } = journalTail(home, id, wanted);
  if (torn > 0) call.terminal.note(tornText(torn));
  return { data: { lines }, lines: lines.length > 0 ? lines.map(lineText) : ["nothing has run here yet"] };
}

/** A handler by its name, or all of a package. */
function keeper({ flags }: Call): Wanted["keep"] {
  const handler = flags.text("handler");
  const session = flags.text("session");
  return (line) =>
    (handler === undefined || line.handler === handler || line.handler.startsWith(`${handler}#`)) &&
    (session === undefined || line.session === session);
}

async function follow(
  call: Call,
  { home, id, limit, keep }: Wanted & { home: Home; id: string },
): Promise<Done<CommandData["log"]>> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const text = (line: JournalLine) => (call.flags.on("json") ? JSON.stringify(line) : lineText(line));
  const show = (line: JournalLine) => {
    if (!writeAll(1, `${text(line)}\n`)) stop.abort(); // whoever read has left
  };
  let first: JournalLine[] | undefined = [];
  const onCaughtUp = () => {
    for (const line of first?.slice(-limit) ?? []) show(line);
    first = undefined;
  };
  for await (const entry of followJournal(home, id, { signal: stop.signal, onCaughtUp })) {
    if ("torn" in entry) call.terminal.note(tornText(1));
    else if (!keep(entry.line)) continue;
    else if (first === undefined) show(entry.line);
    else if (first.push(entry.line) > 2 * limit) first = first.slice(-limit);
  }
  return { data: { lines: [] }, lines: [], printed: true };
}

function tornText(count: number): string {
  return `${count === 1 ? "a line was" : `${count} lines were`} cut short by a kill or a full disk, and left out`;
}

/** When, where, on what, who, what came of it, and what the host was told. */
function lineText(line: JournalLine): string {
  const { at, host, event, by, tool, handler, matched, outcome, answer, code, why, stderr, long, ms } = line;
  const end = matched ? [outcome, answer, code].filter(Boolean).join(" ") : "not matched";
  const on = [event, tool, ...(by === undefined ? [] : ["by", by])].filter(Boolean).join(" ");
  const said = [why, stderr, long && (long.startsWith("/") ? `all of its text: ${long}` : `its text was cut: ${long}`)]
    .filter(Boolean)
    .join("; ");
  return plainText(
    `${at} ${host} ${on}  ${handler}  ${end} (${ms} ms) → ${toldText(line)}${said ? `: ${said}` : ""}`,
  ).replaceAll("\n", " ");
}

/** What the host was told, in words. */
export function toldText({ told, patched }: { told: string; patched?: true | undefined }): string {
  return patched ? `${told}, patched` : told;
}
