import { eventStream, inputOf, objectsIn, type Said, textsIn, type Wire } from "./wire.ts";

/** Anthropic Messages: `POST /v1/messages`. */
export const messages: Wire = {
  wantsAnswer: (path) => path.endsWith("/messages"),

  results: (body) =>
    [...objectsIn(body)].filter(({ type }) => type === "tool_result").map(({ content }) => textsIn(content).join("\n")),

  stream: (said, id) => {
    const { block, delta, reason } = partsOf(said, id);
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "mock", content: [], usage };
    return eventStream([
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },
};

function partsOf(said: Said, id: string) {
  if ("text" in said) {
    const delta = { type: "text_delta", text: said.text };
    return { block: { type: "text", text: "" }, delta, reason: "end_turn" };
  }
  const block = { type: "tool_use", id: `toolu_${id}`, name: said.tool, input: {} };
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(inputOf(said)) };
  return { block, delta, reason: "tool_use" };
}
