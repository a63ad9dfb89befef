import { type HookRules, LOST, listed, tried } from "../hook-rules.ts";

/** Only names and separators is a list of exact names, anything else an expression, unanchored. */
export const CLAUDE_RULES: HookRules = {
  host: "claude-code",
  tools:
    "Bash Write Edit MultiEdit NotebookEdit Read Glob Grep WebFetch WebSearch Task Agent TodoWrite BashOutput KillShell Skill ExitPlanMode AskUserQuestion SlashCommand".split(
      " ",
    ),
  matches: (matcher, tool) => listed(matcher, /^[A-Za-z0-9_|, -]*$/, /[|,]/, tool) ?? tried(matcher, tool),
  unit: "s",
  types: ["command", "prompt", "agent", "http", "mcp_tool"],
  dropped: [],
  lost: [LOST.exitOne, LOST.topLevelDeny],
};
