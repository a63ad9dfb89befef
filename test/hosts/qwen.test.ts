import { proveHost } from "./proof.ts";

const answer = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
});

proveHost({
  host: "qwen",
  file: ".qwen/settings.json",
  beforeTool: "PreToolUse",
  deny: (reason) => answer({ permissionDecision: "deny", permissionDecisionReason: reason }),
  rewrite: (command) => answer({ permissionDecision: "allow", updatedInput: { command } }),
  rewrites: false,
  prompt: "UserPromptSubmit",
  captures: "qwen",
  events: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
});
