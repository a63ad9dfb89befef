import { expect, test } from "bun:test";
import { redactedValue } from "./redacted-value.ts";

test("what a field says is secret goes whole, in any spelling and below it", () => {
  const call = {
    ...{ password: "a1", apiKey: "b2", "client-secret": "c3", auth: { accessToken: ["d4", { as: "e5" }] } },
    ...{ API_TOKEN: ["f6"], Cookie: "g7", credentials: { user: "h8" } },
  };
  const kept = JSON.stringify(redactedValue(call, []));
  for (const secret of ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]) expect(kept).not.toContain(`"${secret}"`);
  const plain = { key: "Enter", max_tokens: 5, tokenizer: "t", author: "a", password: "", keyboard: ["x"] };
  expect(redactedValue(plain, [])).toEqual(plain);
});
