import {
  approvedSet,
  type Home,
  type JournalEntry,
  journalEntries,
  type Project,
  projectsAround,
  REAL_OUTSIDE,
  statistics,
} from "@hookpkg/runtime";
import { commandText } from "../command-text.ts";
import type { Said } from "./broken.ts";

/** `guards`: those that may refuse something, and so did not guard when they were asked last. */
export type Failing = { guards: readonly Said[]; others: readonly Said[] };

/**
 * Handlers that are approved here and whose last call failed: a guard that only fails is easily taken for one that works. What the journal
 * says of other bytes, or of a handler that is gone or off, is about nobody who is asked now.
 */
export async function failingIn(home: Home, place: Project): Promise<Failing> {
  const { handlers } = await approvedSet(home, projectsAround(home, place.root), REAL_OUTSIDE);
  const asked = new Map(handlers.map((one) => [`${one.name} ${one.identity}`, one]));
  const isAsked = (entry: JournalEntry) =>
    "line" in entry && (isOwn(entry.line.handler) || asked.has(`${entry.line.handler} ${entry.line.identity}`));
  const failing = statistics(filtered(journalEntries(home, place.id), isAsked)).filter(
    (one) => one.failingSince !== null,
  );
  const mayRefuse = (name: string) =>
    isOwn(name) || handlers.some((one) => one.name === name && one.normalForm.may.includes("cancel"));
  const said = (mark: string) => (one: (typeof failing)[number]) => ({
    text: `${mark}${one.handler} is failing since ${one.failingSince} [${one.lastCode}]`,
    command: commandText("hookpkg", "explain", "--handler", one.handler),
  });
  return {
    guards: failing.filter(({ handler }) => mayRefuse(handler)).map(said("!! ")),
    others: failing.filter(({ handler }) => !mayRefuse(handler)).map(said("")),
  };
}

/** The engine's own guard stands in every chain, and in no approvals. */
export function isOwn(handler: string): boolean {
  return handler.startsWith("builtin:");
}

function* filtered<T>(all: Iterable<T>, isMeant: (one: T) => boolean): Generator<T> {
  for (const one of all) if (isMeant(one)) yield one;
}
