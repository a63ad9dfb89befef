import type { ModelSize } from "@hookpkg/spec";

/** One request: no history, no state. `prompt` is a user's message, never instructions of the system. */
export type ModelRequest = {
  size: ModelSize;
  system: string;
  prompt: string;
  /** The model may call these and no others; none: it may only write. */
  tools?: readonly ModelTool[];
  /** More is cut by the model's own server. */
  maxTokens: number;
  /** Ends the request wherever it is. */
  signal: AbortSignal;
};

/** `input`: a JSON Schema of its arguments. */
export type ModelTool = { name: string; description: string; input: Readonly<Record<string, unknown>> };

/**
 * All that the model wrote and every call that it made, in its order; `input` is what it said, checked by nobody. `isCut`: it had more to
 * say than `maxTokens`.
 */
export type ModelReply = { text: string; calls: readonly { tool: string; input: unknown }[]; isCut?: boolean };

/** Asks a model. Throws E_MODEL_…; what an embedder's own client throws is E_MODEL_CLIENT. */
export type ModelClient = (request: ModelRequest) => Promise<ModelReply>;
