import type { HookSource } from "../hook-source.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeCodeSettings } from "./entries.ts";
import { CLAUDE_RULES } from "./rules.ts";

/** Plugins of Claude Code 2.1.332. Hooks of the manifest come on top of those of hooks/hooks.json. */
export const claudeCodeHooks: HookSource = {
  adapter: claudeCode,
  settings: claudeCodeSettings,
  rules: CLAUDE_RULES,
  manifests: [".claude-plugin/plugin.json"],
  ownManifest: ".claude-plugin/plugin.json",
  twoPlaces: "both",
  manifestHooks: true,
  defaultTimeoutS: 600,
  tools: "claude-code",
  answers: "lenient",
  places: {},
  variables: /^(CLAUDE|AI_AGENT$|ANTHROPIC_MODEL$)/,
  differs: [
    { sign: /CLAUDE_ENV_FILE/, why: "CLAUDE_ENV_FILE is not there: a handler sets no variables of the session" },
    { sign: /updatedPermissions/, why: "updatedPermissions is not read here: permission rules are the host's" },
    { sign: /updatedMCPToolOutput/, why: "updatedMCPToolOutput is not read here: updatedToolOutput is" },
    { sign: /CLAUDE_PLUGIN_OPTION_/, why: "it reads options: declare them in hookpkg.json" },
  ],
};
