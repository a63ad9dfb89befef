import { type HookRules, tried } from "../hook-rules.ts";

/** Its own names, and those of Claude Code that the same tools have where the event's name is spelt as there. */
const OWN = "bash powershell create edit view glob grep task web_fetch".split(" ");
const CLAUDES = "Bash Write Edit Read Glob Grep Task WebFetch".split(" ");

const isOwnSpelling = (event = "") => /^[a-z]/.test(event);

/** An expression for the whole name. In its own spelling of an event, what means every tool elsewhere means none. An exit that is not 0 refuses. */
export const COPILOT_RULES: HookRules = {
  host: "copilot-cli",
  tools: [...OWN, ...CLAUDES],
  matches: (matcher, tool, event) =>
    isOwnSpelling(event) && CLAUDES.includes(tool) ? false : tried(`^(?:${matcher})$`, tool),
  emptyIsNone: isOwnSpelling,
  unit: "s",
  types: ["command", "http", "prompt"],
  dropped: ["onFailure", "async", "once"],
  lost: [
    {
      sign: /"(decision)\\?"\s*:\s*\\?"(deny|block)/,
      unless: /permissionDecision|behavior/,
      at: /^p(re|ermission)/i,
      why: "a decision is not read here before a tool: permissionDecision is",
    },
    {
      sign: /hookSpecificOutput/,
      unless: /\bexit [1-9]/,
      at: /^preToolUse$/,
      why: "hookSpecificOutput is not read at preToolUse: permissionDecision stands at the top there",
    },
    {
      sign: /\bexit 2\b|exit\(2\)/,
      unless: /"decision/,
      at: /^(post|userPrompt|agentStop|Stop|subagentStop)/i,
      why: 'exit 2 refuses nothing here: a decision "block" does',
    },
  ],
};
