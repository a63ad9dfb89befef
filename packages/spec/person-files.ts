import { z } from "zod";
import { identitySchema, integritySchema, sha256Schema } from "./digest.ts";
import { optionValueSchema } from "./manifest.ts";
import { scopeSchema } from "./name.ts";
import { text } from "./state-fields.ts";

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
  options: z.record(text(500), z.record(text(40), optionValueSchema)).default({}),
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
