import { z } from "zod";
import { text } from "./state-fields.ts";

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
