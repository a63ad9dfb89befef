import type { HookSource } from "../hook-source.ts";
import { codex } from "./codex.ts";
import { codexSettings } from "./entries.ts";
import { CODEX_RULES } from "./rules.ts";

/** Plugins of Codex CLI 0.171. It reads Claude Code's manifests, too, and hooks/hooks.json where the manifest names no hooks. */
export const codexHooks: HookSource = {
  adapter: codex,
  settings: codexSettings,
  rules: CODEX_RULES,
  manifests: [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"],
  ownManifest: ".codex-plugin/plugin.json",
  notifies: true,
  twoPlaces: "manifest",
  manifestHooks: true,
  defaultTimeoutS: 600,
  tools: "codex",
  answers: "lenient",
  places: {},
  variables: /^(CODEX|CLAUDE)/,
  differs: [
    {
      sign: /tool_input["'\].\s?]{1,6}command[^\n]{0,80}\*\*\* |\*\*\* Begin Patch/,
      why: "a patch is tool_input.patch here, not tool_input.command, and its files are in tool_input.changes",
    },
  ],
};
