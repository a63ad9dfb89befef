import { dataStream, inputOf, objectsIn, textsIn, type Wire } from "./wire.ts";

/** Gemini: `POST /v1beta/models/MODEL:streamGenerateContent?alt=sse`. */
export const generateContent: Wire = {
  wantsAnswer: (path) => path.endsWith(":streamGenerateContent"),

  results: (body) =>
    [...objectsIn(body)].flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [textsIn(functionResponse).join("\n")],
    ),

  stream: (said, id) => {
    const part = "text" in said ? { text: said.text } : { functionCall: { name: said.tool, args: inputOf(said) } };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const candidate = { index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" };
    return dataStream([{ responseId: id, modelVersion: "mock", candidates: [candidate], usageMetadata }]);
  },
};
