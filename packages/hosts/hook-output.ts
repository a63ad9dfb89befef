import type { Decision } from "@hookpkg/spec";
import type { HostEvent, HostReply } from "./adapter.ts";
import { asRecord } from "./host-input.ts";
import { personText, reasonOr, said } from "./reply.ts";

/** Said with every cancel after the tool: a refusal there undoes nothing. */
export const HIDDEN = "(the result is hidden; the tool has run and nothing was undone)";

/** Said when a hook rewrote a call that cannot be written back: the call as it came must not run. */
export const UNPATCHABLE = "a hook rewrote this call in a way that cannot be handed back to the host";
const UNPATCHABLE_PROMPT = "a hook rewrote this prompt, which this host cannot take back, so it was not sent";

const REFUSED = "refused by a hook";

/** The reason of a decision that refuses; undefined when it doesn't. */
export function refusedFor(decision: Decision): string | undefined {
  return decision.decision === "cancel" || decision.decision === "end" ? reasonOr(decision.reason, REFUSED) : undefined;
}

/** The parts of an answer that Claude Code and the hosts that copied its form have in common. */
export function context(decision: Decision): { additionalContext?: string } {
  return decision.context ? { additionalContext: decision.context } : {};
}

/** `notes` are our own lines for the person, after those of the handlers. */
export function message(decision: Decision, ...notes: string[]): { systemMessage?: string } {
  const systemMessage = personText([...decision.person, ...notes]);
  return systemMessage === undefined ? {} : { systemMessage };
}

/** Without the event's name beside it, none of these hosts reads it. */
export function nested(hookEventName: string, output: object): object {
  return Object.keys(output).length === 0 ? {} : { hookSpecificOutput: { hookEventName, ...output } };
}

/** A question is what the host asks anyway; no opinion leaves it to that. */
export function permission(event: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  const verdict =
    reason !== undefined
      ? { decision: { behavior: "deny", message: reason } }
      : decision.decision === "allow"
        ? { decision: { behavior: "allow" } }
        : {};
  return said({ ...message(decision), ...nested(event.hostEventName, verdict) });
}

/** No host takes another prompt back: one that a hook rewrote must not be sent as it was. */
export function prompt(event: HostEvent, decision: Decision): HostReply {
  const rewritten = decision.patch?.prompt === undefined ? undefined : UNPATCHABLE_PROMPT;
  const reason = refusedFor(decision) ?? rewritten;
  if (reason !== undefined) return said({ decision: "block", reason, ...message(decision) });
  return started(event, decision);
}

/** A session or an agent begins: context, or an end before anything was done. */
export function started(event: HostEvent, decision: Decision): HostReply {
  const stopReason = refusedFor(decision);
  if (stopReason !== undefined && event.event !== "SubagentStart")
    return said({ continue: false, stopReason, ...message(decision) });
  return said({ ...message(decision), ...nested(event.hostEventName, context(decision)) });
}

/** Cancel goes on with the reason as the next prompt, end stops for good. */
export function stopping(_: HostEvent, decision: Decision): HostReply {
  const reason = refusedFor(decision);
  if (reason === undefined) return said(message(decision));
  return decision.decision === "end"
    ? said({ continue: false, stopReason: reason, ...message(decision) })
    : said({ decision: "block", reason, ...message(decision) });
}

/** Where a host takes no context, the person hears that there was some. */
export function unsaid(event: HostEvent, decision: Decision): string[] {
  return decision.context ? [`hookpkg: ${event.host} takes no context at ${event.hostEventName}: it was left out`] : [];
}

/** Where a host obeys no refusal, the person hears what a hook wanted. */
export function powerless(event: HostEvent, decision: Decision): string[] {
  const refused = refusedFor(decision);
  return refused === undefined ? [] : [`hookpkg: ${event.host} obeys no refusal at ${event.hostEventName}`, refused];
}

/** Where a host takes no other result, the person hears that it stays what it was. */
export function unreplaced(event: HostEvent, decision: Decision): string[] {
  return decision.patch?.tool_response === undefined
    ? []
    : [`hookpkg: ${event.host} takes no other result: what a hook changed in it stays with the model`];
}

/** A result as the text that Gemini CLI and its forks give the model. */
export function resultText(result: unknown): string {
  if (typeof result === "string") return result;
  const content = asRecord(result)?.llmContent;
  return typeof content === "string" ? content : JSON.stringify(result);
}
