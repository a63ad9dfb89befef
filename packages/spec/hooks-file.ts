import { z } from "zod";
import { MAY } from "./answer.ts";

export const HOOKS_FILE = "hooks/hooks.json";
export const MAX_HOOKS_BYTES = 256 * 1024;
const MAX_HANDLERS = 200;
const MAX_HEADERS = 32;
export const MAX_PROMPT_CHARS = 20_000;
/** Seconds. A thousand or more is somebody's milliseconds. */
export const MAX_TIMEOUT_S = 600;

const text = (max: number) => z.string().min(1).max(max);
const reference = text(200).regex(
  /^((@[a-z0-9-]+\/[a-z0-9-]+)(#[a-z0-9-]+)?|#[a-z0-9-]+)\??$/,
  "@scope/name, @scope/name#id or #id, ? = may be absent",
);

/** Fields that every kind of handler has. */
export const SHARED_FIELDS = {
  id: text(40).regex(/^[a-z0-9-]{1,40}$/, "lower-case letters, digits and -, at most 40"),
  may: z
    .array(z.enum(MAY as [string, ...string[]]))
    .max(MAY.length)
    .optional(),
  timeout: z.number().positive().optional(),
  failMode: z.enum(["open", "closed"]).optional(),
  before: z.array(reference).max(32).optional(),
  after: z.array(reference).max(32).optional(),
  if: z.union([text(500), z.array(text(500)).max(32)]).optional(),
  once: z.boolean().optional(),
  async: z.boolean().optional(),
  answers: z.enum(["lenient", "strict"]).optional(),
  statusMessage: text(200).optional(),
  outputLimit: z.int().min(100).max(1_000_000).optional(),
  isolate: z.enum(["worker", "call"]).optional(),
};

const module = z.strictObject({ ...SHARED_FIELDS, type: z.literal("module"), module: text(240) });
const command = z.strictObject({
  ...SHARED_FIELDS,
  type: z.literal("command"),
  command: text(8192).optional(),
  argv: z.array(z.string().max(8192)).min(1).max(256).optional(),
});

const service = z.strictObject({
  ...SHARED_FIELDS,
  type: z.literal("service"),
  argv: z.array(z.string().max(8192)).min(1).max(256),
});

const http = z.strictObject({
  ...SHARED_FIELDS,
  type: z.literal("http"),
  url: text(2000),
  method: z.literal("POST").optional(),
  headers: z
    .record(text(100).regex(/^[A-Za-z0-9-]+$/, "letters, digits and -"), z.string().max(2000))
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
    .optional(),
});

const asked = {
  ...SHARED_FIELDS,
  prompt: text(MAX_PROMPT_CHARS).regex(/\S/, "a question or a task"),
  model: z.enum(["small", "large"]).optional(),
};
const prompt = z.strictObject({ ...asked, type: z.literal("prompt") });
const agent = z.strictObject({ ...asked, type: z.literal("agent") });

export const handlerSchema = z.discriminatedUnion("type", [module, command, service, http, prompt, agent]);
export type HandlerEntry = z.infer<typeof handlerSchema>;

/** The shape that Claude Code, Codex, Peri and AstraCode share. Event names are checked by the door, which knows their aliases. */
export const hooksFileSchema = z.strictObject({
  $schema: text(300).optional(),
  description: z.string().max(1000).optional(),
  hooks: z.record(
    text(100),
    z
      .array(
        z.strictObject({
          matcher: z.string().max(2000).optional(),
          hooks: z.array(handlerSchema).min(1).max(MAX_HANDLERS),
        }),
      )
      .max(MAX_HANDLERS),
  ),
});
export type HooksFile = z.infer<typeof hooksFileSchema>;

/** Every field name of a package's two files, with the place where it stands: where a likely spelling is looked for. */
export const KNOWN_FIELDS: ReadonlyMap<string, string> = placed([
  ...handlerSchema.options.flatMap(({ shape }) =>
    Object.keys(shape)
      .filter((field) => field !== "type" && !(field in SHARED_FIELDS))
      .map((field) => [field, `${shape.type.value} handlers`] as const),
  ),
  ...fieldsOf("every handler", `type ${Object.keys(SHARED_FIELDS).join(" ")}`),
  ...fieldsOf("groups of handlers, beside hooks", "matcher"),
  ...fieldsOf("hooks/hooks.json", "hooks"),
  ...fieldsOf("the manifest", "name version description license repository keywords requires capabilities options"),
  ...fieldsOf("requires", "programs events hookpkg"),
  ...fieldsOf("capabilities", "project read write net env model limits"),
  ...fieldsOf("capabilities.limits", "memoryMiB dataMiB"),
  ...fieldsOf("options", "type default description"),
]);

function fieldsOf(place: string, fields: string): [string, string][] {
  return fields.split(" ").map((field) => [field, place]);
}

function placed(fields: readonly (readonly [field: string, place: string])[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const [field, place] of fields) {
    const before = places.get(field);
    places.set(field, before === undefined ? place : `${before}, ${place}`);
  }
  return places;
}
