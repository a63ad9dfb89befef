import { type HostSettings, SHIM_MARK } from "../settings.ts";
import { pluginCommand, pluginText } from "./plugin-text.ts";

const TOOL_S = 600;
const EVENTS = {
  "tool.execute.before": TOOL_S,
  "tool.execute.after": TOOL_S,
  "permission.ask": TOOL_S,
  "chat.message": 30,
  "session.created": 30,
  "session.deleted": 5,
  "session.idle": 30,
};

/** opencode 1.18.33: a plugin of ours that asks hookpkg. */
export const opencodeSettings: HostSettings = {
  host: "opencode",
  program: "opencode",
  npm: "opencode-ai",
  folder: ".config/opencode",
  folderVariable: { name: "XDG_CONFIG_HOME", folder: ".config" },
  personal: { kind: "shims", path: ".config/opencode/plugins" },
  shared: ".opencode/plugins",
  // Its hooks are code: no file of it can be read for them.
  reads: [],
  plugins: [],
  comments: false,
  entries: Object.entries(EVENTS).map(([event, timeout]) => ({
    event,
    guards: event === "tool.execute.before" || event === "permission.ask",
    timeout,
  })),
  shims: (commands) => [{ name: "hookpkg.js", text: pluginText(SHIM_MARK, commands, EVENTS), mode: 0o644 }],
  shimCommand: (files, event) => files.map(({ text }) => pluginCommand(text, event)).find(Boolean),
  limits: [
    "a hook cannot ask: what asks is refused, saying that approval was needed",
    "it does not tell of failed calls, and a stop cannot be refused",
    "other plugins run in the same process as ours and can change what it does",
    "--pure starts it without plugins: then no hook runs",
    "it has no trust of its own: every plugin in that folder runs",
  ],
  refusal: (text) => ({ to: "stderr", text }),
};
