import type { HookSource } from "../hook-source.ts";

import { periSettings } from "./entries.ts";
import { peri } from "./peri.ts";
import { PERI_RULES } from "./rules.ts";

/** Plugins of Peri, by its source: Claude Code's form, but hooks/hooks.json stands before the manifest's hooks. */
export const periHooks: HookSource = {
  adapter: peri,
  settings: periSettings,
  rules: PERI_RULES,
  manifests: ["plugin.json", ".claude-plugin/plugin.json"],
  ownManifest: "plugin.json",
  twoPlaces: "file",
  manifestHooks: true,
  defaultTimeoutS: 600,
  tools: "peri",
  answers: "lenient",
  places: {},
  variables: /^CLAUDE/,
  ifIsPart: true,
  differs: [
    { sign: /tool_output/, why: "a result is tool_response here, not tool_output" },
    { sign: /CLAUDE_HOOK_EVENT_NAME/, why: "CLAUDE_HOOK_EVENT_NAME is not set here: hook_event_name is on stdin" },
    { sign: /CLAUDE_PLUGIN_OPTION_/, why: "it reads options: declare them in hookpkg.json" },
  ],
};
