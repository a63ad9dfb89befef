import { type HookSource, PATCH_AS_COMMAND } from "../hook-source.ts";

import { astracode } from "./astracode.ts";
import { astracodeSettings } from "./entries.ts";
import { ASTRACODE_RULES } from "./rules.ts";

/** AstraCode, by its documents: a layer's hooks.json and the [hooks] of its config.toml, and plugins in Codex's form. */
export const astracodeHooks: HookSource = {
  adapter: astracode,
  settings: astracodeSettings,
  rules: ASTRACODE_RULES,
  manifests: [".codex-plugin/plugin.json", ".claude-plugin/plugin.json"],
  notifies: true,
  twoPlaces: "manifest",
  manifestHooks: true,
  defaultTimeoutS: 600,
  tools: "astracode",
  answers: "strict",
  shell: "bash",
  tells: PATCH_AS_COMMAND,
  places: {},
  variables: /^(ASTRACODE|CLAUDE)/,
  differs: [],
};
