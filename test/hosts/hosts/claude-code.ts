import { join } from "node:path";
import { messages } from "../wires/messages.ts";
import type { Host, Place } from "./host.ts";

/** Claude Code. Headless it trusts every project and knows no trust of single hooks. */
export const claudeCode: Host = {
  name: "claude-code",
  pin: { name: "@anthropic-ai/claude-code", version: "2.1.332" },
  wire: messages,
  shell: (command) => ({ tool: "Bash", input: { command, description: "run a command" } }),

  command: (place) => [
    binary(place),
    ...["-p", place.prompt],
    ...["--output-format", "json"],
    ...["--permission-mode", place.asks ? "default" : "bypassPermissions"],
    ...["--model", "claude-sonnet-4-5"],
  ],

  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "dummy",
    // Without it, root may not bypass permissions.
    IS_SANDBOX: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
};

/** The package's own program is a stub until its script has run; this is what the script would put there. */
function binary({ host }: Place): string {
  const pattern = new Bun.Glob("node_modules/@anthropic-ai/claude-code-*/claude");
  const [found] = pattern.scanSync({ cwd: host.folder });
  if (found === undefined) throw new Error(`claude ${host.version} has no program for this machine`);
  return join(host.folder, found);
}
