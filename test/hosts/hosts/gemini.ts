import { join } from "node:path";
import { generateContent } from "../wires/generate-content.ts";
import { type Host, nodeBinary } from "./host.ts";

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

  /**
   * Vertex, because with a server of one's own for the plain Gemini API it does not start unless settings name the kind of
   * key, and it reads such settings only from a folder in which root owns everything up to the top.
   */
  env: ({ model, isTrusting }) => ({
    GOOGLE_GENAI_USE_VERTEXAI: "true",
    GOOGLE_VERTEX_BASE_URL: model,
    GOOGLE_API_KEY: "dummy",
    ...(isTrusting ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  }),
};
