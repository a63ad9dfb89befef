/** What a handler may answer; a right, part of its identity. `end` is covered by `cancel`, `continue` by nothing. */
export type May = "cancel" | "ask" | "allow" | "patch" | "context";
export const MAY: readonly May[] = ["cancel", "ask", "allow", "patch", "context"];

/** Fields that a patch sets, by name of the payload's field. */
export type PatchFields = { readonly [field: string]: unknown };

/**
 * What one handler says. `context` is for the model, `shown` for the person, `printed` is text on stdout that was neither; none of them
 * is a decision.
 */
export type Answer = { context?: string; shown?: string; printed?: string } & (
  | { answer: "continue" }
  | { answer: "cancel"; reason: string }
  | { answer: "patch"; fields: PatchFields }
  | { answer: "ask"; reason: string; fields?: PatchFields }
  | { answer: "allow"; reason: string; fields?: PatchFields }
  | { answer: "context"; context: string }
  | { answer: "end"; reason: string }
);

export type AnswerKind = Answer["answer"];

/** How one handler's run ended. `why` is a stable code; `detail` is for people; `denied`: what it asked for without the right. */
export type Outcome = { ms: number; stderr?: string; notes?: readonly string[]; denied?: readonly string[] } & (
  | { outcome: "answered"; answer: Answer }
  | { outcome: "failed"; why: string; detail?: string }
  | { outcome: "late"; why: "E_RUN_LATE" | "E_RUN_NOT_READY"; detail?: string }
  | { outcome: "skipped"; why: string; detail?: string }
  | { outcome: "held"; why: string; detail?: string }
  | { outcome: "not-reached" }
);

export type OutcomeKind = Outcome["outcome"];

/** What the chain concludes and the host obeys. */
export type Verdict = "continue" | "cancel" | "ask" | "allow" | "end";
