import { join } from "node:path";
import { chatCompletions } from "../wires/chat-completions.ts";
import type { Host, Place } from "./host.ts";

/** opencode. It wants a package of its plugins' from npm's registry, which answers at once that there is none. */
export const opencode: Host = {
  name: "opencode",
  pin: { name: "opencode-ai", version: "1.18.33" },
  wire: chatCompletions,
  shell: (command) => ({ tool: "bash", input: { command, description: "run a command" } }),

  command: (place) => [binary(place), "run", "--format", "json", ...["-m", "mock/m1"], place.prompt],

  env: ({ model, home }) => ({
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local/state"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_SHARE: "1",
    npm_config_registry: `${model}/npm/`,
    npm_config_fetch_retries: "0",
    OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(model)),
  }),
};

function settings(model: string) {
  const options = { baseURL: `${model}/v1`, apiKey: "dummy" };
  const m1 = { name: "m1", tool_call: true, limit: { context: 100_000, output: 8000 } };
  return {
    model: "mock/m1",
    small_model: "mock/m1",
    permission: "allow",
    provider: { mock: { npm: "@ai-sdk/openai-compatible", name: "mock", options, models: { m1 } } },
  };
}

function binary({ host }: Place): string {
  const pattern = new Bun.Glob("node_modules/opencode-linux-{x64,arm64}/bin/opencode");
  const [found] = pattern.scanSync({ cwd: host.folder });
  if (found === undefined) throw new Error(`opencode ${host.version} has no program for this machine`);
  return join(host.folder, found);
}
