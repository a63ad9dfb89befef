import type { EventName } from "@hookpkg/spec";

/** Longest line for a person, in characters. */
export const MAX_PERSON_LINE = 100;
/** A longer run of backticks is none that code has, and its fence would be longer than the text. */
const MAX_FENCE = 64;

/**
 * Text of a handler as others may see it: no control or bidi characters, which could paint over what stands around it. Line
 * breaks and tabs stay.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => (sign === "\n" || sign === "\t" ? sign : ""));
}

export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function personLine(text: string): string {
  return cut(cleanText(text).replace(/\s+/g, " ").trim(), MAX_PERSON_LINE);
}

/** `@s/n#id: reason`, never without a reason. */
export function reasonLine(handler: string, reason: string): string {
  return `${handler}: ${reason || "it gave no reason"}`;
}

/**
 * A handler's text for the agent, marked as the handler's: prefixed with its name and fenced, the fence longer than any in the text,
 * so that it can't pass for anybody else's words. It is cut only where a limit is given.
 */
export function contextBlock(handler: string, text: string, maxCharacters = text.length): string {
  const plain = cut(cleanText(text).trim(), maxCharacters).replace(/`{65,}/g, "`".repeat(MAX_FENCE));
  const fence = fenceFor(plain);
  return `hook ${handler}:\n${fence}\n${plain}\n${fence}`;
}

/** Longer than any run of backticks in the text. */
export function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(Math.min(longest, MAX_FENCE) + 1);
}

/** What a refusal means where it is given: for the model's reason, the person's line, and the state that is told once. */
export type RefusalWords = { what: string; so: string; by: string; state: "refused" | "kept" | "hidden" };

export function refusalWords(event: EventName): RefusalWords {
  if (event === "Stop" || event === "SubagentStop")
    return { what: "whether the work is done", so: "it goes on", by: "the agent goes on for", state: "kept" };
  if (event === "PostToolUse" || event === "PostToolUseFailure")
    return { what: "the result", so: "the result is hidden", by: "result hidden by", state: "hidden" };
  return { what: "the action", so: "the action is refused", by: "cancelled by", state: "refused" };
}
