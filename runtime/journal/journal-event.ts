import type { Later } from "../afterwards.ts";
import type { Apart } from "../gate/stations.ts";
import { USER } from "../person/projects.ts";
import type { Engine, Request } from "../request.ts";
import { journal } from "./journal.ts";
import { journalLines } from "./lines.ts";

/** Station 15: what became of every handler that was considered, in the journal of the innermost project. E_STATE_UNWRITABLE. */
export async function journalEvent(
  { payload, host, by }: Request,
  { home, outside, secrets }: Engine,
  { entries, found, subjects, decision }: Omit<Later, "payload">,
  apart: readonly Apart[] = [],
): Promise<void> {
  const lines = journalLines(
    { entries, apart },
    { payload, subjects, host, at: outside.now().toISOString(), decision, ...(by === undefined ? {} : { by }) },
  );
  await journal(home, found.projects.at(-1)?.id ?? USER, lines, secrets);
}
