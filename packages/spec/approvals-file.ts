import { z } from "zod";
import { MAY } from "./answer.ts";
import { capabilitiesSchema } from "./capability.ts";
import { identitySchema, sha256Schema } from "./digest.ts";
import type { NormalForm } from "./handler.ts";
import { MAX_PROMPT_CHARS } from "./hooks-file.ts";
import { optionValueSchema } from "./manifest.ts";
import { event, matcher, text } from "./state-fields.ts";

const normalFormSchema = z.strictObject({
  v: z.literal(1),
  event,
  matcher,
  if: z.array(z.strictObject({ tool: text(200), pattern: text(500) })),
  run: z.union([
    z.strictObject({
      type: z.literal("module"),
      path: text(240),
      export: z.literal("default"),
      isolate: z.enum(["worker", "call"]),
    }),
    z.strictObject({ type: z.literal("command"), argv: z.array(text(8192)) }),
    z.strictObject({ type: z.literal("service"), argv: z.array(text(8192)) }),
    z.strictObject({
      type: z.literal("http"),
      url: text(2000),
      method: z.literal("POST"),
      headers: z.record(text(100), text(2000)),
    }),
    z.strictObject({ type: z.literal("command"), shell: text(8192) }),
    z.strictObject({
      type: z.enum(["prompt", "agent"]),
      prompt: text(MAX_PROMPT_CHARS),
      model: z.enum(["small", "large"]),
    }),
  ]),
  may: z.array(z.enum(MAY as ["cancel", ...typeof MAY])),
  timeoutMs: z.int().positive(),
  failMode: z.enum(["open", "closed"]),
  once: z.boolean(),
  async: z.boolean(),
  answers: z.enum(["lenient", "strict"]),
  outputLimit: z.int().positive(),
  before: z.array(text(200)),
  after: z.array(text(200)),
  capabilities: capabilitiesSchema,
  requires: z.array(text(100)),
  closure: sha256Schema,
}) satisfies z.ZodType<NormalForm, unknown>;

const approvedHow = z.enum(["terminal", "install", "identity", "policy"]);
const decision = { by: text(200), how: approvedHow, at: text(40) };

const approvalSchema = z.strictObject({
  identity: identitySchema,
  normalForm: normalFormSchema,
  tree: sha256Schema,
  options: z.strictObject({ values: z.record(text(40), optionValueSchema), digest: sha256Schema }),
  source: text(500),
  decided: z.enum(["approved", "rejected", "disabled"]),
  ...decision,
  supersedes: identitySchema.optional(),
  /** While it is disabled: how it was approved, which switching it on again brings back. */
  before: z.strictObject(decision).optional(),
});

const projectApprovalsSchema = z.strictObject({
  root: text(4096),
  order: z.array(text(300)).optional(),
  /** The last decision about a proposed order; `digest` names that order. */
  orderDecided: z
    .strictObject({ digest: sha256Schema, decided: z.enum(["approved", "rejected"]), ...decision })
    .optional(),
  /** While it is there, nothing of this project runs but what the machine's policy names. Nothing else is changed for that. */
  safeMode: z.strictObject(decision).optional(),
  entries: z.record(text(300), approvalSchema),
});

export const approvalsSchema = z.strictObject({
  v: z.literal(1),
  key: text(200),
  sig: text(200),
  projects: z.record(text(100), projectApprovalsSchema),
});

/** One recorded decision of a person about one handler (`@s/n#id`) in one project. */
export type Approval = z.infer<typeof approvalSchema>;
export type ProjectApprovals = z.infer<typeof projectApprovalsSchema>;
/** approvals.json: what may run. `sig` is over the JCS of everything but itself. */
export type Approvals = z.infer<typeof approvalsSchema>;

export const approversSchema = z.strictObject({
  v: z.literal(1),
  keys: z.array(z.strictObject({ id: text(100), public: text(100), kind: z.enum(["person", "automation"]) })).max(100),
  /** One of them has signed some. Kept apart from what was signed, which may be lost without a trace. */
  signed: z.literal(true).optional(),
});
/** keys/approvers.json: who may sign approvals. */
export type Approvers = z.infer<typeof approversSchema>;

export const closedSchema = z.strictObject({
  v: z.literal(1),
  guards: z.array(z.strictObject({ handler: text(300), event, matcher })),
  /** The person's own guards, for all of their projects, do not count in this one either. */
  safeMode: z.literal(true).optional(),
});
/** closed/<project>.json: what closed handlers guard, so that a broken runtime can still refuse. */
export type Closed = z.infer<typeof closedSchema>;
