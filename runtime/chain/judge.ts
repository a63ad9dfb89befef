import { isFault } from "@hookpkg/fault";
import { type Answer, applyPatch, checkMay, type Outcome, type PatchFields, type Payload } from "@hookpkg/spec";
import type { Gated, Runnable } from "../gate/runnable.ts";
import type { Effect } from "./chain.ts";

/** An outcome after the handler's rights and fail mode were laid on it. */
export type Judged = {
  outcome: Outcome;
  effect: Effect;
  patched?: { payload: Payload; fields: readonly string[] };
};

/** What a run means: an answer counts as far as the handler may give it; anything else is its fail mode's business. */
export function judge(gated: Gated, payload: Payload, outcome: Outcome): Judged {
  if (gated.kind === "held") return { outcome, effect: { effect: "refused", by: "held", cause: gated.why } };
  if (gated.kind === "bypassed" || outcome.outcome !== "answered") return missed(gated, outcome);
  const read = checkMay(outcome.answer, gated.normalForm.may, gated.normalForm.event);
  if ("failed" in read) return missed(gated, failure(outcome, read.failed, read.detail));
  const { answer } = read;
  const notes = [...(outcome.notes ?? []), ...read.notes];
  const answered: Outcome = { ...outcome, answer, ...(notes.length > 0 ? { notes } : {}) };
  const fields = "fields" in answer ? answer.fields : undefined;
  if (fields === undefined) return { outcome: answered, effect: effectOf(answer) };
  try {
    const patched = { payload: applyPatch(payload, fields), fields: namesOf(fields) };
    return { outcome: answered, effect: effectOf(answer), patched };
  } catch (error) {
    return missed(gated, failure(outcome, isFault(error) ? error.code : "E_CHAIN_PATCH"));
  }
}

function missed(gated: Exclude<Gated, { kind: "held" }>, outcome: Outcome): Judged {
  if (outcome.outcome === "answered" || outcome.outcome === "not-reached")
    return { outcome, effect: { effect: "none" } };
  if (gated.kind === "runnable" && isClosed(gated))
    return { outcome, effect: { effect: "refused", by: "failed", cause: outcome.why } };
  // Held is a word for closed guards: an open one that has no sandbox was skipped.
  const passed: Outcome = outcome.outcome === "held" ? { ...outcome, outcome: "skipped" } : outcome;
  return { outcome: passed, effect: { effect: "passed" } };
}

function isClosed({ normalForm }: Runnable): boolean {
  return normalForm.failMode === "closed" && normalForm.may.includes("cancel");
}

function effectOf(answer: Answer): Effect {
  if (answer.answer === "cancel" || answer.answer === "end")
    return { effect: "refused", by: answer.answer, reason: answer.reason };
  if (answer.answer === "ask") return { effect: "asked", reason: answer.reason };
  return answer.answer === "allow" ? { effect: "allowed", reason: answer.reason } : { effect: "none" };
}

function failure(outcome: Outcome, why: string, detail?: string): Outcome {
  const { ms, stderr, notes, denied } = outcome;
  return {
    ...{ outcome: "failed", why, ms },
    ...(detail === undefined ? {} : { detail }),
    ...(stderr === undefined ? {} : { stderr }),
    ...(notes === undefined ? {} : { notes }),
    ...(denied === undefined ? {} : { denied }),
  };
}

function namesOf(fields: PatchFields): string[] {
  return Object.keys(fields).filter((field) => fields[field] !== undefined);
}
