import type { JournalLine } from "@hookpkg/spec";
import type { Later } from "../afterwards.ts";
import type { Apart } from "../gate/stations.ts";
import { USER } from "../person/projects.ts";
import type { Engine, Request } from "../request.ts";
import { unharmed } from "../watch.ts";
import { journal } from "./journal.ts";
import { journalLines } from "./lines.ts";

/** Station 15: what became of every handler that was considered, in the journal of the innermost project. E_STATE_UNWRITABLE. */
export async function journalEvent(
  { payload, host, by }: Request,
  engine: Engine,
  { entries, found, subjects, decision, long = [] }: Omit<Later, "payload">,
  apart: readonly Apart[] = [],
): Promise<void> {
  const occasion = { payload, subjects, host, at: engine.outside.now().toISOString(), decision, long };
  const lines = journalLines({ entries, apart }, { ...occasion, ...(by === undefined ? {} : { by }) });
  await journalTold(engine, found.projects.at(-1)?.id ?? USER, lines);
}

/** Lines into a project's journal, and to who listens. E_STATE_UNWRITABLE. */
export async function journalTold(
  { home, secrets, onJournal }: Pick<Engine, "home" | "secrets" | "onJournal">,
  project: string,
  lines: readonly JournalLine[],
): Promise<void> {
  const written = await journal(home, project, lines, { secrets });
  if (onJournal !== undefined) for (const line of written) unharmed(() => onJournal(line));
}
