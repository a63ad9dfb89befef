import { ASK_AT_THE_TOP, type HookSource } from "../hook-source.ts";
import { geminiCliSettings } from "./entries.ts";
import { geminiCli } from "./gemini-cli.ts";
import { GEMINI_RULES } from "./rules.ts";

/** Extensions of Gemini CLI 0.61: hooks stand in hooks/hooks.json, never in the manifest. */
export const geminiCliHooks: HookSource = {
  adapter: geminiCli,
  settings: geminiCliSettings,
  rules: GEMINI_RULES,
  manifests: ["gemini-extension.json"],
  ownManifest: "gemini-extension.json",
  twoPlaces: "file",
  manifestHooks: false,
  defaultTimeoutS: 60,
  tools: "gemini",
  answers: "lenient",
  shell: "bash",
  refusesFrom: 3,
  hearsStderr: true,
  places: {
    extensionPath: "PLUGIN_ROOT",
    workspacePath: "PROJECT_DIR",
    "/": "/",
    GEMINI_PROJECT_DIR: "PROJECT_DIR",
    GEMINI_CWD: "PROJECT_DIR",
  },
  variables: /^(GEMINI_(PROJECT_DIR|CWD|SESSION_ID|PLANS_DIR|CLI)$|CLAUDE_PROJECT_DIR$)/,
  says: [
    ASK_AT_THE_TOP,
    {
      sign: /hookSpecificOutput.{0,200}tool_input|^\s*["']?tool_input["']?\s?:\s?\{/,
      patches: true,
      sed: 's/"tool_input"[[:space:]]*:/"updatedInput":/',
    },
  ],
  differs: [
    {
      sign: /GEMINI_(SESSION_ID|PLANS_DIR)/,
      why: "GEMINI_SESSION_ID and GEMINI_PLANS_DIR are not set here: session_id is on stdin",
    },
    { sign: /prompt_response/, why: "prompt_response is last_assistant_message here" },
    { sign: /llmContent|returnDisplay/, why: "llmContent and returnDisplay are in results of gemini-cli alone" },
    {
      sign: /llm_request|llm_response|toolConfig|tailToolCallRequest|clearContext/,
      why: "what it says to the model's requests is not read here",
    },
  ],
};
