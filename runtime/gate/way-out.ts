import type { HandlerName, ProjectApprovals } from "@hookpkg/spec";
import { refuse } from "../faults.ts";
import type { Home } from "../home.ts";
import type { Place } from "./proposals.ts";
import { changeApprovals, type Note, type Signing } from "./signed-change.ts";

type Switching = Signing & { note: Note; undo?: boolean };

/**
 * Switches approved handlers off, and with `undo` on again exactly as they were; the consent itself stays. Obeyed at the next event,
 * in running sessions too. Managed handlers have no such switch. E_APPROVE_UNKNOWN for one that was never approved.
 */
export async function disable(
  home: Home,
  place: Place,
  handlers: readonly HandlerName[],
  { note, undo = false, ...signing }: Switching,
): Promise<void> {
  await changeApprovals(home, place, signing, (known) => {
    const entries = { ...known.entries };
    for (const handler of handlers) {
      const entry = entries[handler];
      if (entry === undefined) throw refuse("E_APPROVE_UNKNOWN", { handler });
      if (undo) entries[handler] = switchedOn(entry);
      else if (entry.decided === "approved")
        entries[handler] = { ...entry, decided: "disabled", ...note, before: noteOf(entry) };
    }
    return { ...known, entries };
  });
}

/** Everything in a project that the machine's policy does not name is off while this stands; undone, all is as it was. */
export async function safeMode(
  home: Home,
  place: Exclude<Place, string>,
  { note, undo = false, ...signing }: Switching,
): Promise<void> {
  await changeApprovals(home, place, signing, ({ safeMode: known, ...rest }) =>
    undo ? rest : { ...rest, safeMode: known ?? note },
  );
}

type Entry = ProjectApprovals["entries"][string];

function switchedOn(entry: Entry): Entry {
  if (entry.decided !== "disabled") return entry;
  const { before, ...rest } = entry;
  return { ...rest, decided: "approved", ...before };
}

function noteOf({ how, by, at }: Entry): Note {
  return { how, by, at };
}
