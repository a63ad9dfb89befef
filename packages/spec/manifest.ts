import { z } from "zod";
import { type Capabilities, capabilitiesSchema } from "./capability.ts";
import { type PackageName, packageNameSchema } from "./name.ts";
import { rangeSchema, type Version, versionSchema } from "./version.ts";

export const MANIFEST_FILE = "hookpkg.json";
export const MAX_MANIFEST_BYTES = 64 * 1024;

export type OptionValue = string | number | boolean | readonly string[];
export const optionValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type OptionSpec = {
  type: "string" | "number" | "boolean" | "string[]";
  default: OptionValue;
  description?: string;
};

/** hookpkg.json, every default filled in. */
export type Manifest = {
  name: PackageName;
  version: Version;
  description: string;
  license?: string;
  repository?: string;
  keywords: readonly string[];
  requires: { hookpkg?: string; programs: readonly string[]; events: readonly string[] };
  capabilities: Capabilities;
  options: Readonly<Record<string, OptionSpec>>;
};

const text = (max: number) => z.string().max(max);
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
const OPTION_NAME = /^[a-z][A-Za-z0-9]{0,39}$/;

const optionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("string"), default: text(4096), description: text(300).optional() }),
  z.strictObject({ type: z.literal("number"), default: z.number(), description: text(300).optional() }),
  z.strictObject({ type: z.literal("boolean"), default: z.boolean(), description: text(300).optional() }),
  z.strictObject({
    type: z.literal("string[]"),
    default: z.array(text(4096)).max(256),
    description: text(300).optional(),
  }),
]);

/** What stands in a layer's hookpkg.json too: rights, requirements and options, no name or version. */
export const rightsShape = {
  requires: z
    .strictObject({
      hookpkg: rangeSchema.optional(),
      programs: z.array(z.string().regex(PROGRAM, "the name of a program, without a path")).max(32).default([]),
      events: z.array(text(64)).max(64).default([]),
    })
    .prefault({}),
  capabilities: capabilitiesSchema.prefault({}),
  options: z
    .record(z.string().regex(OPTION_NAME, "camelCase, at most 40 letters and digits"), optionSchema)
    .refine((options) => Object.keys(options).length <= 64, "at most 64 options")
    .default({}),
};

export const manifestSchema = z.strictObject({
  $schema: text(300).optional(),
  name: packageNameSchema,
  version: versionSchema,
  description: text(300),
  license: text(100).optional(),
  repository: text(300).optional(),
  keywords: z.array(text(50)).max(20).default([]),
  ...rightsShape,
});

/** Value of an option in its type, undefined when it has another one. */
export function optionValue(spec: OptionSpec, value: unknown): OptionValue | undefined {
  if (spec.type === "string[]")
    return Array.isArray(value) && value.every((part): part is string => typeof part === "string") ? value : undefined;
  if (spec.type === "string" && typeof value === "string") return value;
  if (spec.type === "number" && typeof value === "number" && Number.isFinite(value)) return value;
  return spec.type === "boolean" && typeof value === "boolean" ? value : undefined;
}
