import { CLAUDE_RULES } from "../claude-code/rules.ts";
import { type HookRules, LOST, listed, tried } from "../hook-rules.ts";

/** By its source: a list is split at `|`, a name is exact, anything else an expression. */
export const PERI_RULES: HookRules = {
  host: "peri",
  tools: CLAUDE_RULES.tools,
  matches: (matcher, tool) => listed(matcher, /\||^\w+$/, /\|/, tool) ?? tried(matcher, tool),
  unit: "s",
  types: ["command", "prompt", "http", "agent"],
  dropped: ["onFailure", "args", "async"],
  lost: [
    LOST.exitOne,
    { ...LOST.ask, why: 'older versions know no "ask", and the call goes on' },
    {
      sign: /hookSpecificOutput/,
      unless: /\bexit 2\b|exit\(2\)|"decision\\?"\s*:\s*\\?"/,
      at: /^(?!PreToolUse$|UserPromptSubmit$|SessionStart$)/,
      why: "hookSpecificOutput is read before a tool, at a prompt and at a session's start only",
    },
  ],
};
