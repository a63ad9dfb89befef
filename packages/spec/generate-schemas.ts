import { join, relative } from "node:path";
import { z } from "zod";
import { EVENT_NAMES, type EventName } from "./event.ts";
import { answerSchema } from "./event-answer.ts";
import { inputSchema } from "./event-input.ts";

const ROOT = join(import.meta.dir, "../..");
const FOLDER = relative(ROOT, join(import.meta.dir, "schemas"));

/** File name → an event of its form: `custom` stands for every notice of open form, `host-stage` for what a host declares. */
const FILES: readonly (readonly [string, EventName])[] = [
  ...EVENT_NAMES.map((name) => [name, name] as const),
  ["custom", "custom.name"],
  ["host-stage", "host.stage"],
];

/** One JSON Schema an event: what its handlers read (`#/$defs/input`) and what they may answer (`#/$defs/answer`). */
export async function generated(): Promise<{ path: string; text: string }[]> {
  return FILES.map(([file, event]) => {
    const document = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: file,
      $defs: { input: schemaOf(inputSchema(event)), answer: schemaOf(answerSchema(event)) },
    };
    return { path: `${FOLDER}/${file}.generated.json`, text: `${JSON.stringify(document, null, 2)}\n` };
  });
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  return rest;
}
