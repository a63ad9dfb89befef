import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isFault } from "@hookpkg/fault";
import { generateText, jsonSchema, type LanguageModel, ToolChoiceViolationError, type ToolSet, tool } from "ai";
import { refuse } from "../faults.ts";
import type { NetOutside } from "../net/outside.ts";
import type { ModelReply, ModelRequest, ModelTool } from "./client.ts";
import type { ModelSettings } from "./settings.ts";
import { fetchBy } from "./wire.ts";

// Warnings of the SDK would be lines of ours on stderr, which hosts read.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** One request in the words of its provider: one try, no telemetry, no tool is run. E_MODEL_STATUS, _REPLY, _UNREACHABLE. */
export async function askProvider(
  settings: ModelSettings,
  { size, system, prompt, tools = [], maxTokens, signal }: ModelRequest,
  net: NetOutside,
): Promise<ModelReply> {
  try {
    const result = await generateText({
      model: modelOf(settings, settings[size], net),
      ...(system === "" ? {} : { instructions: system }),
      ...(tools.length === 0 ? {} : { tools: toolSet(tools), toolChoice: "required" }),
      ...{ prompt, maxOutputTokens: maxTokens, maxRetries: 0, abortSignal: signal, telemetry: { isEnabled: false } },
    });
    refuseRefusal(result);
    const calls = result.toolCalls.map(({ toolName, input }) => ({ tool: toolName, input }));
    return { text: result.text, calls, ...(result.finishReason === "length" ? { isCut: true } : {}) };
  } catch (error) {
    if (!ToolChoiceViolationError.isInstance(error)) throw faultOf(error);
    refuseRefusal(error); // else it only wrote, where it was to call: for who asked to say
    return { text: error.content.map((part) => (part.type === "text" ? part.text : "")).join(""), calls: [] };
  }
}

/** What a model says in refusing is no reply, even where it looks like one. */
function refuseRefusal({ finishReason }: { finishReason: string }): void {
  if (finishReason === "content-filter") throw refuse("E_MODEL_REPLY", { found: "a refusal" });
}

function modelOf({ provider, url, key }: ModelSettings, id: string, net: NetOutside): LanguageModel {
  const fetch = fetchBy(net, { withKey: key !== undefined });
  // Always with a key: without one the SDK looks for it in the environment. What it then sends is left out.
  if (provider === "anthropic") return createAnthropic({ baseURL: url, apiKey: key ?? "none", fetch })(id);
  const isOpenAi = new URL(url).hostname === "api.openai.com";
  return createOpenAICompatible({
    ...{ name: "openai-compatible", baseURL: url, apiKey: key ?? "none", fetch },
    ...(isOpenAi ? { transformRequestBody: renamed } : {}),
  })(id);
}

/** OpenAI's own newer models refuse the name that everybody else took over from it. */
function renamed({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

function toolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: jsonSchema({ ...input }) })]),
  );
}

/** Ours, wherever in the chain of causes; else what the SDK could not read. Its words may hold the whole reply and are not told. */
function faultOf(error: unknown): Error {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++)
    if (isFault(at)) return at;
  return refuse("E_MODEL_REPLY", { found: error instanceof Error ? error.name : typeof error }, error);
}

const MAX_CAUSES = 8;
