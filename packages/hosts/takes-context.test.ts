import { expect, test } from "bun:test";
import type { HostName } from "./adapter.ts";
import { HOSTS } from "./index.ts";
import { takesContext } from "./takes-context.ts";

const common = { session_id: "s", cwd: "/p", transcript_path: null, prompt: "hello", source: "startup" };

/** Hosts whose model hears the context of an event that has this name there. */
function hearing(...names: string[]): HostName[] {
  return HOSTS.filter((adapter) =>
    names.some((hook_event_name) => {
      try {
        const event = adapter.read({ ...common, hook_event_name });
        return event.event !== null && takesContext(adapter, event);
      } catch {
        return false;
      }
    }),
  ).map(({ name }) => name);
}

test("what can be told with a prompt reaches the model of hosts that have a place for it, by their own form", () => {
  expect(hearing("UserPromptSubmit", "BeforeAgent")).toEqual(
    expect.arrayContaining(["native", "claude-code", "codex", "gemini-cli", "qwen-code"]),
  );
  expect(hearing("Stop")).toEqual(["native"]);
});
