import { homeFolders, projectAt, readJournal, USER } from "@hookpkg/runtime";
import type { CommandData, JournalLine } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { plainText } from "../terminal.ts";

const DEFAULT_LINES = 100;
const MAX_LINES = 100_000;

/** The newest lines of the project's journal, oldest first. */
export async function run(call: Call): Promise<Done<CommandData["log"]>> {
  if (call.args.length > 0)
    throw refuse("E_USAGE", { found: call.args[0]?.slice(0, 200) ?? "", expected: "no argument" });
  const limit = limitOf(call.flags.text("limit"));
  const home = homeFolders(call.home);
  const lines = readJournal(home, projectAt(home, projectRoot(call))?.id ?? USER, { limit });
  return { data: { lines }, lines: lines.length > 0 ? lines.map(lineText) : ["nothing has run here yet"] };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LINES)
    throw refuse("E_USAGE", { found: text.slice(0, 50), expected: `--limit 1 to ${MAX_LINES}` });
  return limit;
}

/** When, where, on what, who, what came of it, and what the host was told. */
function lineText(line: JournalLine): string {
  const { at, host, event, tool, handler, matched, outcome, answer, code, why, told, ms } = line;
  const end = matched ? [outcome, answer, code].filter(Boolean).join(" ") : "not matched";
  const on = tool === undefined ? event : `${event} ${tool}`;
  return plainText(`${at} ${host} ${on}  ${handler}  ${end} (${ms} ms) → ${told}${why ? `: ${why}` : ""}`).replaceAll(
    "\n",
    " ",
  );
}
