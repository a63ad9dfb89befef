import { z } from "zod";
import type { AnswerKind, OutcomeKind, PatchFields, Verdict } from "./answer.ts";
import { type Identity, identitySchema } from "./digest.ts";
import type { TrustState } from "./journal-line.ts";
import type { HandlerName } from "./name.ts";

/** What became of one considered handler, as the host is told. */
export type HandlerReport = {
  handler: HandlerName;
  identity: Identity;
  state: TrustState;
  matched: boolean;
  /** Absent when it was not run: not matched, or not to be run. */
  outcome?: OutcomeKind;
  why?: string;
  answer?: AnswerKind;
  recheck?: true;
  ms: number;
};

/**
 * What the chain concludes and an adapter writes in its host's words: the line of `run native`. `person` is for the person, a line
 * each; `reason`, `patch` and `context` are for the host and its model, `patch` in canonical fields and hook shapes.
 */
export type Decision = {
  v: 1;
  decision: Verdict;
  reason?: string;
  patch?: PatchFields;
  context?: string;
  person: readonly string[];
  forced?: true;
  handlers: readonly HandlerReport[];
};

const reportSchema = z.strictObject({
  handler: z.custom<HandlerName>(
    (value) => typeof value === "string" && /^[^#]+#[^#]+$/.test(value),
    "a handler's name",
  ),
  identity: identitySchema,
  state: z.enum(["managed", "trusted", "modified", "untrusted", "revoked", "held"]),
  matched: z.boolean(),
  outcome: z.enum(["answered", "failed", "late", "skipped", "held", "not-reached"]).exactOptional(),
  why: z.string().exactOptional(),
  answer: z.enum(["continue", "cancel", "patch", "ask", "allow", "context", "end"]).exactOptional(),
  recheck: z.literal(true).exactOptional(),
  ms: z.number().nonnegative(),
});

export const decisionSchema = z.strictObject({
  v: z.literal(1),
  decision: z.enum(["continue", "cancel", "ask", "allow", "end"]),
  reason: z.string().exactOptional(),
  patch: z.record(z.string(), z.unknown()).exactOptional(),
  context: z.string().exactOptional(),
  person: z.array(z.string()),
  forced: z.literal(true).exactOptional(),
  handlers: z.array(reportSchema),
}) satisfies z.ZodType<Decision>;
