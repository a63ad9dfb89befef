import { entriesFor, faultyGroup, type HostSettings } from "../settings.ts";

const PROMPT_S = 30;
const TOOL_S = 600;
/** The most that it gives. */
const END_S = 3;

const EVENTS = {
  PreToolUse: TOOL_S,
  PermissionRequest: TOOL_S,
  PostToolUse: TOOL_S,
  UserPromptSubmit: PROMPT_S,
  SessionStart: TOOL_S,
  SessionEnd: END_S,
  Stop: TOOL_S,
  SubagentStart: TOOL_S,
  SubagentStop: TOOL_S,
  PreCompact: TOOL_S,
};
/** One key more, and it drops the whole hooks.json; config.toml is its settings as well. */
const TOP_KEYS = ["description", "hooks"];

/** Codex CLI 0.171, by its hooks.json: config.toml is where its own trust stands, which only the person may write. */
export const codexSettings: HostSettings = {
  host: "codex",
  program: "codex",
  npm: "@openai/codex",
  folder: ".codex",
  folderVariable: { name: "CODEX_HOME", folder: ".codex" },
  environment: [".codex/config.toml"],
  personal: { kind: "file", path: ".codex/hooks.json" },
  shared: ".codex/hooks.json",
  reads: [
    { scope: "personal", path: ".codex/hooks.json", form: "json" },
    { scope: "personal", path: ".codex/config.toml", form: "toml" },
    { scope: "project", path: ".codex/hooks.json", form: "json" },
    { scope: "project", path: ".codex/config.toml", form: "toml" },
  ],
  plugins: [{ folder: ".codex/plugins/cache", depth: 3 }],
  comments: false,
  entries: entriesFor(EVENTS),
  limits: [
    "it runs only hooks that you trust in its own /hooks, and skips others without a word",
    "a hook cannot ask: what asks is refused, saying that approval was needed",
    "it has no event for a failed call: a command's non-zero exit arrives as PostToolUse",
    "a hook that takes longer than its timeout lets the call pass",
  ],
  refusal: (text) => ({ to: "stderr", text }),
  fault: (settings, form = "json") => {
    const extra = form === "json" && Object.keys(settings).find((key) => !TOP_KEYS.includes(key));
    if (extra) return `codex drops the whole file for the key ${JSON.stringify(extra.slice(0, 60))}`;
    return faultyGroup(settings, Object.keys(EVENTS));
  },
};
