import type { Decision } from "@hookpkg/spec";
import type { GateProblem } from "../gate/runnable.ts";
import type { Conditions } from "./decide.ts";
import type { Plain } from "./without-runtime.ts";
import { cut, MAX_PERSON_LINE, personLine } from "./wording.ts";

const WORDS: Readonly<Record<string, string>> = {
  failed: "failed",
  late: "was late",
  skipped: "could not run",
  held: "is held",
};

/** A line for each condition that is one, of those named in `news` (all without it). */
export function allConditions(conditions: Conditions, news?: readonly string[]): string[] {
  return Object.entries(conditions).flatMap(([handler, state]) =>
    state === null || (news && !news.includes(handler)) ? [] : [conditionLine(handler, state)],
  );
}

/** The name is cut, never the code or what became of the action. */
function conditionLine(handler: string, state: string): string {
  const [outcome = "", why = "", what = ""] = state.split(" ");
  const end = ` ${WORDS[outcome] ?? outcome} (${why}): ${what === "passed" ? "the action passed it" : "action refused"}`;
  return personLine(`hookpkg: ${cut(handler, Math.max(10, MAX_PERSON_LINE - 9 - end.length))}${end}`);
}

export function problemLine({ code, facts }: GateProblem): string {
  const about = Object.values(facts).join(" ");
  return personLine(`hookpkg: ${code}${about === "" ? "" : `: ${about}`}`);
}

/** A person who is stuck is told where the door is, outside the session; the model never is. */
export function wayOut(refusalsInARow: number): string[] {
  if (refusalsInARow < MANY_REFUSALS) return [];
  return [
    personLine(`hookpkg: ${refusalsInARow} refusals in a row; in another terminal: hookpkg disable or safe-mode`),
  ];
}

const MANY_REFUSALS = 3;

/** The decision of an engine that could not come to one by itself. */
export function withoutEngine(plain: Plain, code: string): Decision {
  const person = [
    personLine(`hookpkg: ${code}: ${plain.refuse ? "action refused" : "the action passed without being checked"}`),
  ];
  if (!plain.refuse) return { v: 1, decision: "continue", person, handlers: [] };
  return { v: 1, decision: "cancel", reason: plain.why, person, handlers: [] };
}
