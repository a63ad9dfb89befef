import { CODEX_RULES } from "../codex/rules.ts";
import { type HookRules, LOST } from "../hook-rules.ts";

const BEFORE_A_TOOL = /^PreToolUse$/;

/**
 * Codex's matchers, and fewer tools: what else there is passes by every hook. Before a tool it takes a refusal; any other word in an answer
 * makes the hook a failed one.
 */
export const ASTRACODE_RULES: HookRules = {
  ...CODEX_RULES,
  host: "astracode",
  tools: ["Bash", "apply_patch", "Write", "Edit", "write_file"],
  types: ["command"],
  dropped: ["args", "workdir", "env", "if", "once", "shell", "onFailure"],
  skipped: ["async"],
  lost: [
    ...CODEX_RULES.lost.filter((one) => one !== LOST.ask),
    { ...LOST.ask, at: BEFORE_A_TOOL },
    {
      sign: /permissionDecision\\?"\s*:\s*\\?"allow|updatedInput/,
      at: BEFORE_A_TOOL,
      why: "an allow or a rewrite is a broken answer here, and the call goes on as it was",
    },
    {
      sign: /additionalContext|suppressOutput/,
      at: BEFORE_A_TOOL,
      why: "context and suppressOutput void the whole answer here, a refusal in it as well",
    },
    {
      sign: /"(continue)\\?"\s*:\s*false|stopReason/,
      at: BEFORE_A_TOOL,
      why: "continue: false is a broken answer here, and the call goes on",
    },
  ],
};
