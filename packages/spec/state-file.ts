import type { z } from "zod";
import { refuse } from "./faults.ts";
import { parsedFrom, parseJson } from "./json.ts";

/** Parses a file of the person's own folders; E_STATE_FILE names the file and the field. */
export function parseStateFile<T extends z.ZodType>(schema: T, file: string, bytes: Uint8Array): z.output<T> {
  const parsed = schema.safeParse(parsedFrom(file, () => parseJson(bytes)));
  if (parsed.success) return parsed.data;
  throw refuse("E_STATE_FILE", {
    file,
    path: parsed.error.issues[0]?.path.join(".") ?? "",
    found: parsed.error.issues[0]?.message ?? "",
  });
}
