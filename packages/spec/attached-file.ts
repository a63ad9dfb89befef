import { z } from "zod";
import { sha256Schema } from "./digest.ts";
import { text } from "./state-fields.ts";

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
