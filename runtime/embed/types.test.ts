import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Decision } from "@hookpkg/spec";
import { sweepScratch } from "../test-project.ts";
import type { HookChain } from "./chain.ts";
import { guarded, opened } from "./test-embedder.ts";

setDefaultTimeout(120_000);
afterAll(sweepScratch);

/** The compiler is the test: each line below `@ts-expect-error` must be one. */
async function misspelt(chain: HookChain): Promise<Decision[]> {
  return [
    await chain.dispatch("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } }),
    await chain.dispatch("PreToolUse", { tool_name: "mcp__mine__save", tool_input: { any: 1 }, mine: true }),
    await chain.dispatch("UserPromptSubmit", { prompt: "hello", session_id: "s" }),
    await chain.dispatch("tool.call", { tool_name: "Bash", tool_input: {} }),
    await chain.dispatch("mytool.save", { payload: { text: "x" } }),
    await chain.dispatch("SessionStart", {}),
    // @ts-expect-error: a tool event needs its tool
    await chain.dispatch("PreToolUse", { tool_input: {} }),
    // @ts-expect-error: and its input
    await chain.dispatch("PreToolUse", { tool_name: "Bash" }),
    // @ts-expect-error: a prompt is text
    await chain.dispatch("UserPromptSubmit", { prompt: 1 }),
    // @ts-expect-error: a prompt that is misspelt is none
    await chain.dispatch("UserPromptSubmit", { promt: "hello" }),
    // @ts-expect-error: a session's name is text
    await chain.dispatch("SessionStart", { session_id: 1 }),
    // @ts-expect-error: an event has a payload
    await chain.dispatch("SessionStart"),
  ];
}

test("a payload has the type of its event; what the compiler would have refused is refused all the same", async () => {
  await using chain = opened(await guarded());
  const said = await misspelt(chain).catch((error: unknown) => error);
  expect(said).toMatchObject({ code: "E_HOST_FIELD", facts: { path: "tool_name" } });
  // @ts-expect-error: only names of this form can be told
  expect(await chain.emit("turn.failed").catch((error: unknown) => error)).toMatchObject({ code: "E_EMIT_NAME" });
});
