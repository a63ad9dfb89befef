import { z } from "zod";
import { eventNameSchema } from "./event-input.ts";

/** Fields that several of a person's own files have. All of these are written whole, by hookpkg alone. */
export const text = (max: number) => z.string().max(max);
export const event = eventNameSchema;
export const matcher = z.union([
  z.null(),
  z.strictObject({ names: z.array(text(500)) }),
  z.strictObject({ re2: text(2000) }),
]);
