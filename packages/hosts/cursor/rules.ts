import { type HookRules, LOST, tried } from "../hook-rules.ts";

/** By its documents: an expression over its own names of tools. */
export const CURSOR_RULES: HookRules = {
  host: "cursor",
  tools: ["Shell", "Read", "Write", "Grep", "Delete", "Task"],
  isOpen: true,
  matches: (matcher, tool) => tried(matcher, tool),
  unit: "s",
  types: ["command", "prompt"],
  dropped: ["if", "once", "async", "onFailure", "args"],
  lost: [
    { ...LOST.exitOne, unless: /\bexit 2\b|exit\(2\)|"permission/ },
    {
      sign: /permissionDecision|"(decision)\\?"\s*:\s*\\?"(deny|block)/,
      unless: /"permission\\?"\s*:/,
      why: 'decision and permissionDecision are not read here: permission "deny" is',
    },
    {
      sign: /"permission\\?"\s*:\s*\\?"ask/,
      at: /^preToolUse$/,
      why: '"ask" is taken at preToolUse and nobody is asked: the call goes on',
    },
  ],
};
