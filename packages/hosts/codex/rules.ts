import { type HookRules, LOST, listed, tried } from "../hook-rules.ts";

/** A list is split at `|` only; a comma or a dash makes an expression of it. */
export const CODEX_RULES: HookRules = {
  host: "codex",
  tools: ["Bash", "apply_patch", "Write", "Edit", "spawn_agent", "Agent"],
  matches: (matcher, tool) => listed(matcher, /^[A-Za-z0-9_|]*$/, /\|/, tool) ?? tried(matcher, tool),
  unit: "s",
  types: ["command", "mcp_tool"],
  dropped: ["args", "if", "once", "shell", "env", "onFailure"],
  lost: [LOST.exitOne, LOST.silentTwo, LOST.topLevelDeny, LOST.ask],
};
