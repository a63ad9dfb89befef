import { join } from "node:path";
import { chatCompletions } from "../wires/chat-completions.ts";
import { type Host, nodeBinary } from "./host.ts";

/** Of lowest precedence. With statistics it looks for a server at the start of each run and waits for it. */
const defaults = {
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  telemetry: { enabled: false },
};

/** Qwen Code. It trusts every folder. It rewrites the project's settings.json: compare the content, not the bytes. */
export const qwen: Host = {
  name: "qwen",
  pin: { name: "@qwen-code/qwen-code", version: "0.24.4" },
  wire: chatCompletions,
  shell: (command) => ({ tool: "run_shell_command", input: { command, description: "run a command" } }),

  command: ({ host, node, prompt }) => [
    nodeBinary(node),
    join(host.folder, "node_modules/@qwen-code/qwen-code/cli-entry.js"),
    ...["-p", prompt],
    ...["--output-format", "json"],
    ...["--auth-type", "openai"],
    ...["--approval-mode", "yolo"],
  ],

  env: ({ model, scratch }) => ({
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_API_KEY: "dummy",
    OPENAI_MODEL: "qwen3-coder-plus",
    QWEN_CODE_NO_RELAUNCH: "true",
    QWEN_TELEMETRY_ENABLED: "false",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(scratch, "defaults.json"),
  }),

  files: () => ({ "defaults.json": JSON.stringify(defaults) }),
};
