import { z } from "zod";

/** Hosts whose spellings we know; an adapter names itself by one of these. */
export type ToolHost =
  | "codex"
  | "claude-code"
  | "gemini"
  | "qwen"
  | "copilot"
  | "cursor"
  | "factory"
  | "kiro"
  | "opencode"
  | "cline"
  | "peri"
  | "eva"
  | "astracode";

export type ToolRow = {
  /** The keys that hookpkg relies on; the host's other keys pass. */
  shape: z.ZodType;
  /** Fields that hold a path, made absolute. */
  paths: readonly string[];
  /** Canonical names of other tools that a matcher for this one was meant to cover. */
  also: readonly string[];
  /** What hosts call it, where it is not the canonical name. */
  called: Partial<Record<ToolHost, readonly string[]>>;
};

const text = z.string();
const edit = z.looseObject({ old_string: text, new_string: text, replace_all: z.boolean().optional() });

/** One row per tool: canonical name, stable hook shape, other spellings (facts of each host). May only gain. */
export const TOOLS = {
  Bash: {
    shape: z.looseObject({ command: text }),
    paths: [],
    also: [],
    called: {
      codex: ["exec_command", "shell_command"],
      gemini: ["run_shell_command"],
      qwen: ["run_shell_command", "Shell"],
      copilot: ["bash"],
      cursor: ["Shell"],
      factory: ["Execute"],
      kiro: ["execute_bash"],
      opencode: ["bash"],
      cline: ["run_commands", "execute_command"],
      eva: ["shell"],
    },
  },
  Write: {
    shape: z.looseObject({ file_path: text, content: text }),
    paths: ["file_path"],
    also: [],
    called: {
      gemini: ["write_file"],
      qwen: ["write_file"],
      astracode: ["write_file"],
      copilot: ["create"],
      factory: ["Create"],
      opencode: ["write"],
      cline: ["write_to_file"],
    },
  },
  Edit: {
    shape: z.looseObject({ file_path: text, ...edit.shape }),
    paths: ["file_path"],
    also: [],
    called: { gemini: ["replace"], qwen: ["edit"], copilot: ["edit"], opencode: ["edit"], cline: ["replace_in_file"] },
  },
  MultiEdit: {
    shape: z.looseObject({ file_path: text, edits: z.array(edit).min(1) }),
    paths: ["file_path"],
    also: ["Edit"],
    called: { opencode: ["multiedit"] },
  },
  NotebookEdit: {
    shape: z.looseObject({ notebook_path: text, new_source: text.optional() }),
    paths: ["notebook_path"],
    also: [],
    called: { qwen: ["notebook_edit"] },
  },
  Read: {
    shape: z.looseObject({ file_path: text }),
    paths: ["file_path"],
    also: [],
    called: {
      gemini: ["read_file"],
      qwen: ["read_file"],
      copilot: ["view"],
      opencode: ["read"],
      cline: ["read_file", "read_files"],
    },
  },
  Glob: {
    shape: z.looseObject({ pattern: text, path: text.optional() }),
    paths: ["path"],
    also: [],
    called: { gemini: ["glob"], qwen: ["glob"], copilot: ["glob"], opencode: ["glob"] },
  },
  Grep: {
    shape: z.looseObject({ pattern: text, path: text.optional() }),
    paths: ["path"],
    also: [],
    called: {
      gemini: ["grep_search", "search_file_content"],
      qwen: ["grep_search"],
      copilot: ["grep"],
      opencode: ["grep"],
    },
  },
  WebFetch: {
    shape: z.looseObject({ url: text }),
    paths: [],
    also: [],
    called: { gemini: ["web_fetch"], qwen: ["web_fetch"], copilot: ["web_fetch"], opencode: ["webfetch"] },
  },
  WebSearch: {
    shape: z.looseObject({ query: text }),
    paths: [],
    also: [],
    called: { gemini: ["google_web_search"], qwen: ["web_search"], codex: ["web_search"], opencode: ["websearch"] },
  },
  Agent: {
    shape: z.looseObject({ prompt: text }),
    paths: [],
    also: [],
    called: {
      "claude-code": ["Task"],
      codex: ["spawn_agent"],
      gemini: ["invoke_agent"],
      qwen: ["agent", "task"],
      copilot: ["task"],
      opencode: ["task"],
    },
  },
  apply_patch: {
    shape: z.looseObject({ patch: text, changes: z.union([z.null(), z.array(z.unknown())]) }),
    paths: [],
    also: ["Write", "Edit"],
    called: { opencode: ["patch"] },
  },
} as const satisfies Record<string, ToolRow>;

export type ToolName = keyof typeof TOOLS;
