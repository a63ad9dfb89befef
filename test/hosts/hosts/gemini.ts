import { join } from "node:path";
import { generateContent } from "../wires/generate-content.ts";
import { type Host, nodeBinary } from "./host.ts";

/** Of lowest precedence, so that the settings of home and project are read as they are. Without the type it does not start. */
const defaults = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  telemetry: { enabled: false },
};

/** Gemini CLI. In a folder without trust it ends with 55. */
export const gemini: Host = {
  name: "gemini",
  pin: { name: "@google/gemini-cli", version: "0.61.0" },
  wire: generateContent,
  shell: (command) => ({ tool: "run_shell_command", input: { command, description: "run a command" } }),

  command: ({ host, node, prompt, isTrusting }) => [
    nodeBinary(node),
    join(host.folder, "node_modules/@google/gemini-cli/bundle/gemini.js"),
    ...["-p", prompt],
    // With a model that is named there are no requests besides the conversation.
    ...["-m", "gemini-2.5-flash"],
    ...["--output-format", "json"],
    ...["--approval-mode", "yolo"],
    ...(isTrusting ? ["--skip-trust"] : []),
  ],

  env: ({ model, scratch, isTrusting }) => ({
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_API_KEY: "dummy",
    ...(isTrusting ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(scratch, "defaults.json"),
  }),

  files: () => ({ "defaults.json": JSON.stringify(defaults) }),
};
