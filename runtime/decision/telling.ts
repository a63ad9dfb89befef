import { type Decision, sha256 } from "@hookpkg/spec";
import type { Counts } from "../gate/concerned.ts";
import type { GateProblem } from "../gate/runnable.ts";
import type { Announced } from "../person/announce.ts";
import type { Conditions, Long } from "./decide.ts";
import type { Plain } from "./without-runtime.ts";
import { cut, MAX_PERSON_LINE, personLine } from "./wording.ts";

const WORDS: Readonly<Record<string, string>> = {
  failed: "failed",
  late: "was late",
  skipped: "could not run",
  held: "is held",
};

const ENDS: Readonly<Record<string, string>> = {
  passed: "the action passed it",
  kept: "the agent goes on",
  hidden: "result hidden",
};

/** A line for each condition that is one, of those named in `news` (all without it). */
export function allConditions(conditions: Conditions, news?: readonly string[]): string[] {
  return Object.entries(conditions).flatMap(([handler, state]) =>
    state === null || (news && !news.includes(handler)) ? [] : [conditionWords(handler, state)],
  );
}

/** The name is cut, never the code or what became of the action. */
export function conditionWords(handler: string, state: string): string {
  const [outcome = "", why = "", what = ""] = state.split(" ");
  const end = ` ${WORDS[outcome] ?? outcome} (${why}): ${ENDS[what] ?? "action refused"}`;
  return personLine(`hookpkg: ${cut(handler, Math.max(10, MAX_PERSON_LINE - 9 - end.length))}${end}`);
}

export function problemLine({ code, facts }: GateProblem): string {
  const about = Object.values(facts).join(" ");
  return personLine(`hookpkg: ${code}${about === "" ? "" : `: ${about}`}`);
}

/** A project whose hooks nobody asks is never left out without a word. The end of its path is what tells it from others. */
export function besideLine(root: string): string {
  const [begin, end] = ["hookpkg: not asked: the hooks of ", ", as this session began in another project"];
  const room = MAX_PERSON_LINE - begin.length - end.length;
  return personLine(`${begin}${root.length <= room ? root : `…${root.slice(1 - room)}`}${end}`);
}

/** Told once for each handler, and again when it is kept no more. Where the file is stands in the journal. */
export function longLine(long: Long): string {
  const end = "lost" in long ? `cut, and kept nowhere (${long.lost})` : "cut: a file has all of it (hookpkg log)";
  return personLine(`hookpkg: ${cut(long.by, MAX_PERSON_LINE - 22 - end.length)}'s text was ${end}`);
}

export function longState(long: Long): string {
  return "lost" in long ? long.lost : "kept";
}

/** Told once for each handler of a session; what it printed stands in the journal. */
export function printedLine(handler: string, text: string): string {
  return personLine(`hookpkg: ${cut(handler, MAX_PERSON_LINE - 40)} printed text, no decision: ${text}`);
}

/** A person who is stuck is told where the door is, outside the session; the model never is. */
export function wayOut(refusalsInARow: number, { handler, managed }: { handler: string; managed: boolean }): string[] {
  if (refusalsInARow < MANY_REFUSALS) return [];
  const count = `hookpkg: ${refusalsInARow} refusals in a row by `;
  const named = `hookpkg: in another terminal: hookpkg disable '${handler}'`;
  const out = `${named} or hookpkg safe-mode`;
  const plain = "hookpkg: in another terminal: hookpkg disable or hookpkg safe-mode";
  return [
    personLine(`${count}${cut(handler, MAX_PERSON_LINE - count.length)}`),
    handler.startsWith("builtin:")
      ? "hookpkg: what changes hookpkg itself is yours to do, in another terminal"
      : managed
        ? "hookpkg: this machine's policy runs it; ask who runs the machine"
        : personLine([out, named].find((line) => line.length <= MAX_PERSON_LINE) ?? plain),
  ];
}

/** What the person switched off, and whether all of a project is. */
export type Off = { handlers: readonly string[]; safeMode: boolean };

/** Loud: nothing that is off guards anything. Undefined when nothing is. */
export function offLine({ handlers, safeMode }: Off): string | undefined {
  if (handlers.length === 0 && !safeMode) return undefined;
  const names = handlers.join(", ");
  const count = handlers.length === 1 ? "1 HOOK IS OFF" : `${handlers.length} HOOKS ARE OFF`;
  return personLine(
    safeMode
      ? `hookpkg: SAFE MODE: ${count} until hookpkg safe-mode --undo: ${names}`
      : `hookpkg: ${count} until hookpkg disable --undo: ${names}`,
  );
}

/** How much guards a session, at its start. Undefined where nothing is and nothing waits. */
export function aliveLine({ guards, others, held, waiting }: Counts): string | undefined {
  if (guards + others + held + waiting === 0) return undefined;
  const on = `${guards} ${guards === 1 ? "guard" : "guards"} on`;
  const also = others === 0 ? "" : `, ${others} other ${others === 1 ? "hook" : "hooks"}`;
  return personLine(`hookpkg: ${on}${also}${held === 0 ? "" : `, ${held} HELD`}, ${waiting} waiting`);
}

/** Names exactly what is off: told once a session, and again when it is something else. */
export function offState({ handlers, safeMode }: Off): string | null {
  if (handlers.length === 0 && !safeMode) return null;
  return sha256(JSON.stringify([safeMode, ...[...handlers].sort()]));
}

/** Asked once per session and change: the key says what the change is. */
export function askingLine(waiting: readonly { name: string; identity: string | null }[]): Map<string, string> {
  if (waiting.length === 0) return new Map();
  const key = sha256(JSON.stringify(waiting.map(({ name, identity }) => `${name} ${identity}`).sort()));
  const names = waiting.map(({ name }) => name).join(", ");
  const hooks = waiting.filter(({ name }) => name !== ORDER_WAITS).length;
  const count = hooks === 0 ? "something waits" : hooks === 1 ? "1 hook waits" : `${hooks} hooks wait`;
  return new Map([[`waiting ${key}`, personLine(`hookpkg: ${count} for your approval (hookpkg approve): ${names}`)]]);
}

/** What was decided since the last session, a line each, the newest last. */
export function announcements(decided: readonly Announced[]): string[] {
  const shown = decided.slice(-MAX_ANNOUNCED);
  const more = decided.length - shown.length;
  return [
    ...(more > 0 ? [personLine(`hookpkg: ${more} more decisions since the last session (hookpkg list)`)] : []),
    ...shown.map(({ handler, decided: what, how, at }) =>
      personLine(`hookpkg: ${what} since the last session (${how}, ${at.slice(0, 16)}): ${handler}`),
    ),
  ];
}

/** What an order that waits goes by among the names of handlers. */
const ORDER_WAITS = "the order of your hooks";

const MAX_ANNOUNCED = 5;
const MANY_REFUSALS = 3;

/** The decision of an engine that could not come to one by itself. */
export function withoutEngine(plain: Plain, code: string): Decision {
  const person = [
    personLine(`hookpkg: ${code}: ${plain.refuse ? "action refused" : "the action passed without being checked"}`),
  ];
  if (!plain.refuse) return { v: 1, decision: "continue", person, handlers: [] };
  return { v: 1, decision: "cancel", reason: plain.why, person, handlers: [] };
}
