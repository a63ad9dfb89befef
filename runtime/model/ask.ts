import { isFault } from "@hookpkg/fault";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { ModelClient, ModelReply, ModelRequest } from "./client.ts";

/** What a model wrote, as far as anybody wants to read it. */
const MAX_REPLY_CHARS = 1024 * 1024;

const reply = z.object({
  text: z.string().max(MAX_REPLY_CHARS),
  calls: z.array(z.object({ tool: z.string(), input: z.unknown() })).max(100),
  isCut: z.boolean().optional(),
});

/**
 * Asks whatever client there is, an embedder's among them: it has no more time than `signal` gives, and its reply the shape that it must
 * have. E_MODEL_NONE without a client, E_MODEL_CLIENT for what a foreign one throws or gives, E_NET_LATE when the signal came first.
 */
export async function askModel(client: ModelClient | undefined, request: ModelRequest): Promise<ModelReply> {
  if (client === undefined) throw refuse("E_MODEL_NONE");
  if (request.signal.aborted) throw refuse("E_NET_LATE", {});
  const late = Promise.withResolvers<never>();
  const stop = () => late.reject(refuse("E_NET_LATE", {}));
  request.signal.addEventListener("abort", stop, { once: true });
  try {
    const said = reply.safeParse(await Promise.race([client(request), late.promise]));
    if (!said.success) throw refuse("E_MODEL_CLIENT", { found: "another shape" });
    const { text, calls, isCut } = said.data;
    const made = calls.map(({ tool, input }) => ({ tool, input: jsonOf(input) }));
    return { text, calls: made, ...(isCut === undefined ? {} : { isCut }) };
  } catch (error) {
    if (request.signal.aborted) throw refuse("E_NET_LATE", {}, error);
    throw isFault(error) ? error : refuse("E_MODEL_CLIENT", {}, error);
  } finally {
    request.signal.removeEventListener("abort", stop);
    late.promise.catch(() => {}); // nobody waits for it any more
  }
}

/** A copy that nobody else has: what is judged is what will be done. Throws for what is no JSON. */
function jsonOf(input: unknown): unknown {
  return input === undefined ? undefined : JSON.parse(JSON.stringify(input));
}
