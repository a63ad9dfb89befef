import type { Decision } from "@hookpkg/spec";
import { personText } from "./reply.ts";

/** Said with every cancel after the tool: a refusal there undoes nothing. */
export const HIDDEN = "(the result is hidden; the tool has run and nothing was undone)";

/** Said when a hook rewrote a call that cannot be written back: the call as it came must not run. */
export const UNPATCHABLE = "a hook rewrote this call in a way that cannot be handed back to the host";

/** The parts of an answer that Claude Code and the hosts that copied its form have in common. */
export function context(decision: Decision): { additionalContext?: string } {
  return decision.context ? { additionalContext: decision.context } : {};
}

export function message(decision: Decision): { systemMessage?: string } {
  const systemMessage = personText(decision.person);
  return systemMessage === undefined ? {} : { systemMessage };
}

/** Without the event's name beside it, none of these hosts reads it. */
export function nested(hookEventName: string, output: object): object {
  return Object.keys(output).length === 0 ? {} : { hookSpecificOutput: { hookEventName, ...output } };
}
