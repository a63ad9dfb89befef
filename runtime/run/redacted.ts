import { type Answer, type Outcome, redact } from "@hookpkg/spec";

/**
 * What a run says, without the values that its handler was granted (it may have printed one, or its host sent it back) and without what looks
 * like a secret. Said before anything is cut: of a secret that is cut in half the head would stay. A patch stays as it
 * is: it is what will happen, and not a word about it.
 */
export function redacted(outcome: Outcome, values: readonly string[]): Outcome {
  const clean = (text: string) => redact(text, values);
  const { stderr, notes, denied } = outcome;
  return {
    ...outcome,
    ...("detail" in outcome && outcome.detail !== undefined ? { detail: clean(outcome.detail) } : {}),
    ...("answer" in outcome ? { answer: cleanAnswer(outcome.answer, clean) } : {}),
    ...(stderr === undefined ? {} : { stderr: clean(stderr) }),
    ...(notes === undefined ? {} : { notes: notes.map(clean) }),
    ...(denied === undefined ? {} : { denied: denied.map(clean) }),
  };
}

function cleanAnswer(answer: Answer, clean: (text: string) => string): Answer {
  return {
    ...answer,
    ...("reason" in answer ? { reason: clean(answer.reason) } : {}),
    ...(answer.context === undefined ? {} : { context: clean(answer.context) }),
    ...(answer.shown === undefined ? {} : { shown: clean(answer.shown) }),
    ...(answer.printed === undefined ? {} : { printed: clean(answer.printed) }),
  };
}
