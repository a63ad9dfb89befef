import { ASTRACODE_RULES } from "./astracode/rules.ts";
import { CLAUDE_RULES } from "./claude-code/rules.ts";
import { CLINE_RULES } from "./cline/rules.ts";
import { CODEX_RULES } from "./codex/rules.ts";
import { COPILOT_RULES } from "./copilot-cli/rules.ts";
import { CURSOR_RULES } from "./cursor/rules.ts";
import { GEMINI_RULES } from "./gemini-cli/rules.ts";
import type { HookRules } from "./hook-rules.ts";
import { OPENCODE_RULES } from "./opencode/rules.ts";
import { PERI_RULES } from "./peri/rules.ts";
import { QWEN_RULES } from "./qwen-code/rules.ts";

/** How each host reads hooks of anybody's, and which tools it has. */
export const HOOK_RULES: readonly HookRules[] = [
  CLAUDE_RULES,
  CODEX_RULES,
  GEMINI_RULES,
  QWEN_RULES,
  COPILOT_RULES,
  CURSOR_RULES,
  PERI_RULES,
  ASTRACODE_RULES,
  OPENCODE_RULES,
  CLINE_RULES,
];
