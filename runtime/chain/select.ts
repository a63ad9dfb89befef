import { isFault } from "@hookpkg/fault";
import { matches, matchSubjects, type NormalForm, type Payload, permits } from "@hookpkg/spec";
import type { Approved, Held } from "../gate/runnable.ts";

type Declared = Pick<NormalForm, "event" | "matcher">;

/** What the matchers of this event are tried against: the tool's canonical name and aliases, or the text that the event goes by. */
export const subjectsOf: (payload: Payload, hostTool?: string) => readonly string[] = matchSubjects;

/**
 * Which declarations are concerned by an event: their event and matcher fit. A patch changes neither, so this is asked once. A matcher
 * that can't be used concerns its handler: the gate or the run says what that means.
 */
export function selectFor(payload: Payload, subjects: readonly string[]) {
  const fits = (declared: Declared) =>
    declared.event === payload.hook_event_name && matchesOrBroken(declared, subjects);
  return {
    handler: (handler: Approved) => fits(handler.normalForm),
    held: (held: Held) => fits(held),
  };
}

function matchesOrBroken({ matcher }: Declared, subjects: readonly string[]): boolean {
  try {
    return matches(matcher, subjects);
  } catch (error) {
    if (isFault(error)) return true;
    throw error;
  }
}

/** The last question before a run, on the payload as patched so far. */
export function isWanted(handler: Approved, payload: Payload): boolean {
  const rules = handler.normalForm.if;
  return rules.length === 0 || rules.some((rule) => permits(rule, payload));
}
