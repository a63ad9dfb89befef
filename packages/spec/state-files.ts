import { z } from "zod";
import { MAY } from "./answer.ts";
import { capabilitiesSchema } from "./capability.ts";
import { identitySchema, integritySchema, sha256Schema } from "./digest.ts";
import { eventNameSchema } from "./event-input.ts";
import { refuse } from "./faults.ts";
import type { NormalForm } from "./handler.ts";
import { MAX_PROMPT_CHARS } from "./hooks-file.ts";
import { parsedFrom, parseJson } from "./json.ts";
import { scopeSchema } from "./name.ts";

/** The files of a person's own folders. All of them are written whole, by hookpkg alone. */

const text = (max: number) => z.string().max(max);
const optionValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const event = eventNameSchema;
const matcher = z.union([z.null(), z.strictObject({ names: z.array(text(500)) }), z.strictObject({ re2: text(2000) })]);

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
  options: z.strictObject({ values: z.record(text(40), optionValue), digest: sha256Schema }),
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

export const projectsSchema = z.strictObject({
  v: z.literal(1),
  projects: z.record(text(100), z.strictObject({ root: text(4096), commonDir: text(4096).optional() })),
});
/** projects.json: ids of the projects that a person registered, by their real path. */
export type Projects = z.infer<typeof projectsSchema>;

export const scopesSchema = z.strictObject({
  v: z.literal(1),
  registries: z.record(text(500), z.strictObject({ root: sha256Schema, checkpoint: text(4096).nullable() })),
  scopes: z.record(scopeSchema, z.strictObject({ registry: text(500), seq: z.int().min(0), head: sha256Schema })),
});
/** scopes.json: which registry a scope is bound to, and how far its chain and the log were seen. */
export type Scopes = z.infer<typeof scopesSchema>;

export const configSchema = z.strictObject({
  v: z.literal(1),
  options: z.record(text(500), z.record(text(40), optionValue)).default({}),
  model: z
    .strictObject({
      /** Whose wire it speaks. */
      provider: z.enum(["anthropic", "openai-compatible"]),
      /** Where its API begins, such as `https://api.anthropic.com/v1`. */
      url: text(500).regex(/^https?:\/\//, "an http or https address"),
      /** Absolute or `~/…`, read by its owner only; absent: a model that asks for no key. */
      keyFile: text(4096).optional(),
      small: text(200).min(1),
      large: text(200).min(1),
    })
    .optional(),
  record: z.boolean().optional(),
});
/** config.json: a person's own settings; its options override a project's. */
export type Config = z.infer<typeof configSchema>;

export const policySchema = z.strictObject({
  v: z.literal(1),
  managed: z
    .array(
      z.strictObject({ handler: text(300), identity: identitySchema, registry: text(500), integrity: integritySchema }),
    )
    .max(1000),
});
/** /etc/hookpkg/policy.json: what runs on this machine whatever a person says. */
export type Policy = z.infer<typeof policySchema>;

export const triggeredSchema = z.strictObject({
  v: z.literal(1),
  entries: z
    .array(
      z.strictObject({
        handler: text(300),
        identity: identitySchema,
        event,
        at: text(40),
        text: text(20_000),
        /** Where it belongs outside every project: what is told of one folder is not the next one's matter. */
        outside: z.strictObject({ folder: text(4096), session: text(200) }).optional(),
      }),
    )
    .max(100),
});
/** triggered/<project>.json: what the model wrote for triggers, until the project's next prompt or session start. */
export type Triggered = z.infer<typeof triggeredSchema>;

export const closedSchema = z.strictObject({
  v: z.literal(1),
  guards: z.array(z.strictObject({ handler: text(300), event, matcher })),
  /** The person's own guards, for all of their projects, do not count in this one either. */
  safeMode: z.literal(true).optional(),
});
/** closed/<project>.json: what closed handlers guard, so that a broken runtime can still refuse. */
export type Closed = z.infer<typeof closedSchema>;

const processMark = z.strictObject({ pid: z.int().positive(), start: text(40) });

export const sessionSchema = z.strictObject({
  v: z.literal(1),
  host: text(100),
  session: text(200),
  /** Where its first event found the project: later events can't lead elsewhere. */
  root: text(4096),
  projects: z.array(text(100)).max(100),
  firstSeen: text(40),
  lastEvent: text(40),
  ended: z.boolean(),
  /** Programs that were seen to be its host. */
  processes: z.array(processMark).max(32),
  /** What the person was told: condition → state. */
  told: z.record(text(400), text(200)),
  /** Events refused in a row, all by the same handler. */
  refusals: z.int().min(0),
  refusedBy: text(300).optional(),
  /** Conditions of handlers that ran when nobody could be told: the next event tells. */
  owed: z.record(text(400), text(200).nullable()).optional(),
  /** Handlers, by name and identity, that have had their one run. */
  spent: z.array(text(400)).max(500).optional(),
  /** By event and agent: how often it was kept from stopping in this turn, and in a row. */
  stops: z
    .record(
      text(300),
      z.strictObject({
        ...{ turn: text(300).nullable(), row: z.int().min(0), turnCount: z.int().min(0) },
        /** A prompt has come since: of a person, unless the next stop is one that was kept before. */
        spoken: z.literal(true).optional(),
      }),
    )
    .optional(),
});
/** sessions/<name>.json: one session of a host, as `run` saw it. */
export type Session = z.infer<typeof sessionSchema>;

const attachedFile = z.strictObject({
  /** Its real path. */
  file: text(4096),
  /** Entries of ours by the host's name of the event, as they were written; null: the file is wholly ours. */
  groups: z.record(text(100), z.record(text(100), z.unknown())).nullable(),
  /** What the file was before, kept beside; null when there was none. */
  before: z.strictObject({ digest: sha256Schema, backup: text(4096) }).nullable(),
  after: sha256Schema,
});

export const attachedSchema = z.strictObject({
  v: z.literal(1),
  attachments: z
    .array(
      z.strictObject({
        host: text(100),
        scope: z.enum(["personal", "shared"]),
        files: z.array(attachedFile).max(10),
        /** Folders that were made for it, outermost first. */
        folders: z.array(text(4096)).max(20),
        /** The host's version when it was last looked at; absent: nothing said so. */
        version: text(64).optional(),
        /** When a made-up call was last cancelled through these very entries; absent: never. */
        canary: text(40).optional(),
      }),
    )
    .max(1000),
});
/** attached.json: what `attach` wrote into the settings of hosts, so that `detach` removes exactly that. */
export type Attached = z.infer<typeof attachedSchema>;

/** Parses one of the files above; E_STATE_FILE names the file and the field. */
export function parseStateFile<T extends z.ZodType>(schema: T, file: string, bytes: Uint8Array): z.output<T> {
  const parsed = schema.safeParse(parsedFrom(file, () => parseJson(bytes)));
  if (parsed.success) return parsed.data;
  throw refuse("E_STATE_FILE", {
    file,
    path: parsed.error.issues[0]?.path.join(".") ?? "",
    found: parsed.error.issues[0]?.message ?? "",
  });
}
