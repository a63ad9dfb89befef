import { proveHost } from "./proof.ts";

const answer = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
});

proveHost({
  host: "claude-code",
  file: ".claude/settings.json",
  beforeTool: "PreToolUse",
  deny: (reason) => answer({ permissionDecision: "deny", permissionDecisionReason: reason }),
  rewrite: (command) => answer({ updatedInput: { command, description: "another" } }),
  rewrites: true,
  prompt: "UserPromptSubmit",
  captures: "claude",
  events: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
});
