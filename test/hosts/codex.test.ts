import { expect, test } from "bun:test";
import { driveHost, TEST_TIMEOUT_MS } from "./drive.ts";
import { inTurn } from "./mock-model.ts";
import { proveHost } from "./proof.ts";
import { openStage } from "./stage.ts";

const answer = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
});
const deny = (reason: string) => answer({ permissionDecision: "deny", permissionDecisionReason: reason });
const file = ".codex/hooks.json";

proveHost({
  host: "codex",
  file,
  beforeTool: "PreToolUse",
  deny,
  rewrite: (command) => answer({ permissionDecision: "allow", updatedInput: { command } }),
  rewrites: true,
  prompt: "UserPromptSubmit",
  captures: "codex",
  events: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
});

test(
  "codex that is not told to trust skips a hook that nobody trusted, in the home too",
  async () => {
    using stage = openStage();
    const hooks = { PreToolUse: stage.hook("PreToolUse", deny("no")) };
    stage.writeHooks(file, hooks);
    stage.writeHooks(`../home/${file}`, hooks);
    const script = inTurn({ shell: "touch marker" });
    const { executed } = await driveHost("codex", { ...stage, script, isTrusting: false });
    expect(executed).toEqual(["marker"]);
    expect(stage.captured("PreToolUse")).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);
