import { z } from "zod";
import { refuse } from "../faults.ts";
import { askModel } from "../model/ask.ts";
import type { ModelClient } from "../model/client.ts";

/** Requests of one handler during one event. */
export const MAX_COMPLETIONS = 8;
const MAX_PROMPT_CHARS = 200_000;
const MAX_SYSTEM_CHARS = 20_000;
const MAX_TOKENS = 8192;
const DEFAULT_TOKENS = 1024;

const options = z.strictObject({
  system: z.string().max(MAX_SYSTEM_CHARS).optional(),
  model: z.enum(["small", "large"]).optional(),
  maxTokens: z.int().min(1).max(MAX_TOKENS).optional(),
});
const prompt = z.string().min(1).max(MAX_PROMPT_CHARS);
const args = z.union([z.tuple([prompt]), z.tuple([prompt, options.nullable()])]);

/** `ctx.complete(prompt, options)` as it comes over the wire → what the model wrote. E_MODEL_…. */
export async function completion(asked: unknown, model: ModelClient | undefined, signal: AbortSignal): Promise<string> {
  const parsed = args.safeParse(asked);
  if (!parsed.success)
    throw refuse("E_MODEL_REQUEST", { found: (parsed.error.issues[0]?.message ?? "").slice(0, 200) });
  const [text, given] = parsed.data;
  const { system = "", model: size = "small", maxTokens = DEFAULT_TOKENS } = given ?? {};
  return (await askModel(model, { size, system, prompt: text, maxTokens, signal })).text;
}
