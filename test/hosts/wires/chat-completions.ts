import { dataStream, inputOf, objectsIn, type Said, textsIn, type Wire } from "./wire.ts";

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chatCompletions: Wire = {
  wantsAnswer: (path) => path.endsWith("/chat/completions"),

  results: (body) =>
    [...objectsIn(body)].filter(({ role }) => role === "tool").map(({ content }) => textsIn(content).join("\n")),

  stream: (said, id) => {
    const { delta, reason } = partsOf(said, id);
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const chunk = (choices: unknown[], rest = {}) => ({
      id: `chatcmpl-${id}`,
      object: "chat.completion.chunk",
      created: 1,
      model: "mock",
      choices,
      ...rest,
    });
    const chunks = [
      chunk([{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: reason }]),
      chunk([], { usage }),
    ];
    return `${dataStream(chunks)}data: [DONE]\n\n`;
  },
};

function partsOf(said: Said, id: string) {
  if ("text" in said) return { delta: { content: said.text }, reason: "stop" };
  const named = { name: said.tool, arguments: JSON.stringify(inputOf(said)) };
  const call = { index: 0, id: `call_${id}`, type: "function", function: named };
  return { delta: { content: null, tool_calls: [call] }, reason: "tool_calls" };
}
