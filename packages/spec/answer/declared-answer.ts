import type { Answer, AnswerKind, May } from "../answer.ts";
import type { EventName } from "../event.ts";
import { eventRow } from "../event.ts";
import type { AnswerRead } from "./answer-object.ts";

/** The right that an answer needs; `continue` needs none. */
const NEEDS: Readonly<Record<AnswerKind, May | null>> = {
  continue: null,
  cancel: "cancel",
  end: "cancel",
  patch: "patch",
  ask: "ask",
  allow: "allow",
  context: "context",
};

/**
 * Holds an answer against what the handler may say on this event: E_NOT_DECLARED for what it may not. An allow without the right
 * reads as continue, its patch kept when that is covered: this is how rewrites are written on today's hosts. A cancel or ask
 * that is covered stands; what rides on it without a right is dropped with a note, so that no refusal is lost.
 */
export function checkMay(answer: Answer, may: readonly May[], event: EventName): AnswerRead {
  const rights = may.filter((right) => eventRow(event).may.includes(right));
  const has = (kind: AnswerKind): boolean => {
    const needed = NEEDS[kind];
    return needed === null || rights.includes(needed);
  };
  const refused = (kind: AnswerKind): AnswerRead => ({ failed: "E_NOT_DECLARED", detail: `${kind} on ${event}` });
  const kept = answer.answer === "allow" && !has("allow") ? withoutAllow(answer) : answer;
  if (!has(kept.answer)) return refused(kept.answer);
  const extra = { fields: "fields" in kept && !has("patch"), context: kept.context !== undefined && !has("context") };
  if (!extra.fields && !extra.context) return { answer: kept, notes: [] };
  if (kept.answer !== "cancel" && kept.answer !== "ask" && kept.answer !== "end")
    return refused(extra.fields ? "patch" : "context");
  const { context, ...rest } = kept;
  const { fields, ...bare } = { fields: undefined, ...rest };
  const plain = extra.fields ? bare : rest;
  return {
    answer: extra.context || context === undefined ? plain : { ...plain, context },
    notes: [
      `E_NOT_DECLARED: dropped ${[extra.fields && "patch", extra.context && "context"].filter(Boolean).join(", ")}`,
    ],
  };
}

function withoutAllow(answer: Answer & { answer: "allow" }): Answer {
  const { reason: _, fields, answer: __, ...aside } = answer;
  if (fields) return { answer: "patch", fields, ...aside };
  return aside.context === undefined
    ? { answer: "continue", ...aside }
    : { answer: "context", ...aside, context: aside.context };
}
