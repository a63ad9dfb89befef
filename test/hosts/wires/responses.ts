import { eventStream, objectsIn, type Said, textsIn, type Wire } from "./wire.ts";

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Wire = {
  wantsAnswer: (path) => path.endsWith("/responses"),

  results: (body) =>
    [...objectsIn(body)]
      .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
      .map(({ output }) => textsIn(output).join("\n")),

  stream: (said, id) => {
    const response = { id: `resp_${id}`, object: "response", status: "in_progress", output: [] };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    return eventStream([
      { type: "response.created", response },
      { type: "response.output_item.done", output_index: 0, item: itemOf(said, id) },
      { type: "response.completed", response: { ...response, status: "completed", usage } },
    ]);
  },
};

function itemOf(said: Said, id: string): Record<string, unknown> {
  if ("text" in said) {
    const content = [{ type: "output_text", text: said.text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  }
  const call = { id: `fc_${id}`, call_id: `call_${id}`, name: said.tool, status: "completed" };
  if (typeof said.input === "string") return { ...call, type: "custom_tool_call", input: said.input };
  return { ...call, type: "function_call", arguments: JSON.stringify(said.input) };
}
