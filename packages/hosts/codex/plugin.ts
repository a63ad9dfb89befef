import { type HookSource, PATCH_AS_COMMAND } from "../hook-source.ts";
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
  shell: "bash",
  tells: PATCH_AS_COMMAND,
  places: {},
  variables: /^(CODEX|CLAUDE)/,
  differs: [
    {
      sign: /updatedInput[\s\S]*\*\*\* |\*\*\* [\s\S]*updatedInput/,
      why: "a patch that it rewrites is updatedInput.patch here, not updatedInput.command",
    },
  ],
};
