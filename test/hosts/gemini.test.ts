import { expect, test } from "bun:test";
import { driveHost, TEST_TIMEOUT_MS } from "./drive.ts";
import { inTurn } from "./mock-model.ts";
import { proveHost } from "./proof.ts";
import { openStage } from "./stage.ts";

proveHost({
  host: "gemini",
  file: ".gemini/settings.json",
  beforeTool: "BeforeTool",
  deny: (reason) => ({ decision: "deny", reason }),
  rewrite: (command) => ({ hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command } } }),
  rewrites: true,
  prompt: "BeforeAgent",
  captures: "gemini",
  events: ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
});

test(
  "gemini that is not told to trust does not start in a folder that nobody trusted",
  async () => {
    using stage = openStage();
    const script = inTurn({ shell: "touch marker" });
    const ran = await driveHost("gemini", { ...stage, script, isTrusting: false });
    expect(ran).toMatchObject({ exit: 55, executed: [], requests: [] });
  },
  TEST_TIMEOUT_MS,
);
