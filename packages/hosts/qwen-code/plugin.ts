import { ASK_AT_THE_TOP, type HookSource } from "../hook-source.ts";
import { qwenCodeSettings } from "./entries.ts";
import { qwenCode } from "./qwen-code.ts";
import { QWEN_RULES } from "./rules.ts";

/** Extensions of Qwen Code 0.24.4. A timeout of a thousand and more is milliseconds to it. */
export const qwenCodeHooks: HookSource = {
  adapter: qwenCode,
  settings: qwenCodeSettings,
  rules: QWEN_RULES,
  manifests: ["qwen-extension.json"],
  ownManifest: "qwen-extension.json",
  twoPlaces: "manifest",
  manifestHooks: true,
  millisecondsFrom: 1000,
  defaultTimeoutS: 60,
  tools: "qwen",
  answers: "lenient",
  shell: "bash",
  hearsStderr: true,
  places: {
    extensionPath: "PLUGIN_ROOT",
    workspacePath: "PROJECT_DIR",
    "/": "/",
    QWEN_PROJECT_DIR: "PROJECT_DIR",
    QWEN_CODE_PROJECT_DIR: "PROJECT_DIR",
    GEMINI_PROJECT_DIR: "PROJECT_DIR",
  },
  variables: /^(QWEN_(PROJECT_DIR$|CODE)|GEMINI_PROJECT_DIR$|CLAUDE_PROJECT_DIR$)/,
  says: [ASK_AT_THE_TOP],
  differs: [
    {
      sign: /QWEN_CODE_(SESSION_ID|AGENT_ID|PROMPT_ID|MODEL)/,
      why: "Qwen's variables of the session are not set here: they are on stdin",
    },
  ],
};
