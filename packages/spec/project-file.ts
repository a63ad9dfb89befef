import { z } from "zod";
import { refuse } from "./faults.ts";
import { parseJson } from "./json.ts";
import { isLocalKey } from "./lock.ts";
import { optionValueSchema } from "./manifest.ts";
import { isPackageName, packageNameSchema, scopeSchema } from "./name.ts";
import { rangeSchema } from "./version.ts";

export const PROJECT_FILE = ".hookpkg/project.json";

const optionValues = z.record(z.string().max(40), optionValueSchema);
const source = z
  .string()
  .max(500)
  .refine((key) => isPackageName(key) || isLocalKey(key), "@scope/name or file:./dir");

const schema = z.strictObject({
  registries: z
    .record(
      scopeSchema,
      z
        .string()
        .max(500)
        .regex(/^https?:\/\//),
    )
    .default({}),
  packages: z.record(source, z.union([rangeSchema, z.literal("*")])).default({}),
  options: z.record(source, optionValues).default({}),
  order: z.record(z.string().max(200), z.array(z.string().max(200))).default({}),
  teams: z.array(packageNameSchema.or(scopeSchema)).default([]),
});

/** What a project wishes for. Nothing in it makes anything run or anybody trusted. */
export type ProjectFile = z.infer<typeof schema>;
export const EMPTY_PROJECT: ProjectFile = { registries: {}, packages: {}, options: {}, order: {}, teams: [] };

/** Reads a project file; E_PROJECT_FILE names the field that is wrong. */
export function parseProjectFile(bytes: Uint8Array | string): ProjectFile {
  const parsed = schema.safeParse(parseJson(bytes, { maxBytes: 1024 * 1024 }));
  if (!parsed.success)
    throw refuse("E_PROJECT_FILE", {
      path: parsed.error.issues[0]?.path.join(".") ?? "",
      found: parsed.error.issues[0]?.message ?? "",
    });
  return parsed.data;
}

/** Only what is set, in one order. */
export function projectFileText(project: ProjectFile): string {
  const set = Object.entries(project).filter(
    ([key, value]) => key === "packages" || (Array.isArray(value) ? value.length : Object.keys(value).length) > 0,
  );
  return `${JSON.stringify(Object.fromEntries(set), null, 2)}\n`;
}
