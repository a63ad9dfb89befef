import { entriesFor, faultyGroup, type HostSettings } from "../settings.ts";

const TOOL_S = 600;
const PROMPT_S = 30;
const EVENTS = {
  PreToolUse: TOOL_S,
  PermissionRequest: TOOL_S,
  PostToolUse: TOOL_S,
  UserPromptSubmit: PROMPT_S,
  SessionStart: TOOL_S,
  Stop: TOOL_S,
};

/** AstraCode, by its documents: a fork of an older Codex, and its hooks.json is read the same. */
export const astracodeSettings: HostSettings = {
  host: "astracode",
  program: "astracode",
  folder: ".astracode",
  personal: { kind: "file", path: ".astracode/hooks.json" },
  shared: ".astracode/hooks.json",
  reads: [
    { scope: "personal", path: ".astracode/hooks.json", form: "json" },
    { scope: "personal", path: ".astracode/config.toml", form: "toml" },
    { scope: "project", path: ".astracode/hooks.json", form: "json" },
    { scope: "project", path: ".astracode/config.toml", form: "toml" },
  ],
  plugins: [],
  comments: false,
  entries: entriesFor(EVENTS),
  limits: [
    "this is written by AstraCode's documents, and was not seen at work",
    "[features].astracode_hooks must be on, as it is unless you turned it off; it asks for no trust",
    "only shells, apply_patch, write_file and MCP tools are asked about: others pass by every hook",
    "before a tool it takes a refusal and nothing else: what asks or rewrites is refused, context is left out",
    "it does not tell of failed calls, nor of a stop after an interrupt",
    "a hook that takes longer than its timeout lets the call pass",
  ],
  refusal: (text) => ({ to: "stderr", text }),
  fault: (settings) => faultyGroup(settings, Object.keys(EVENTS)),
};
