import { join } from "node:path";
import { chatCompletions } from "../wires/chat-completions.ts";
import type { Host, Place } from "./host.ts";

/** GitHub Copilot CLI with a model provider of one's own: no account is asked for. */
export const copilot: Host = {
  name: "copilot",
  pin: { name: "@github/copilot", version: "1.0.102" },
  wire: chatCompletions,
  shell: (command) => ({ tool: "bash", input: { command, description: "run a command" } }),

  command: (place) => [
    binary(place),
    ...["-p", place.prompt],
    ...(place.asks ? [] : ["--allow-all-tools", "--allow-all-paths"]),
    ...["--no-color", "--no-auto-update", "--no-custom-instructions"],
    ...["--log-level", "error"],
  ],

  env: ({ model, isTrusting }) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "gpt-4.1",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    // The project's own hooks run in a trusted folder only.
    ...(isTrusting ? { COPILOT_ALLOW_ALL: "true" } : {}),
  }),
};

function binary({ host }: Place): string {
  const pattern = new Bun.Glob("node_modules/@github/copilot-linux-*/copilot");
  const [found] = pattern.scanSync({ cwd: host.folder });
  if (found === undefined) throw new Error(`copilot ${host.version} has no program for this machine`);
  return join(host.folder, found);
}
