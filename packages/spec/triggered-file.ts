import { z } from "zod";
import { identitySchema } from "./digest.ts";
import { event, text } from "./state-fields.ts";

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
