import type { AttachableHost } from "./settings.ts";

/** How a host reads hooks of anybody's in its own settings: enough to say which of them can never do what they were written for. */
export type HookRules = {
  host: AttachableHost;
  /** Names of its tools, as its matchers are tried on them; MCP tools apart. */
  tools: readonly string[];
  /** Its events, where our adapter reads other hosts' names as well. */
  events?: readonly string[];
  /** Whether a matcher fits a tool's name; undefined: the host can't read it. */
  matches: (matcher: string, tool: string) => boolean | undefined;
  unit: "s" | "ms";
  /** Types of hooks that it runs. */
  types: readonly string[];
  /** Fields of one hook that it drops without a word. */
  dropped: readonly string[];
  /** What of an answer it does not read, where the command's own text shows it. */
  lost: readonly { sign: RegExp; unless?: RegExp; why: string }[];
};

const EXIT_ONE = {
  sign: /\bexit 1\b|process\.exit\(1\)|sys\.exit\(1\)/,
  unless: /\bexit 2\b|exit\(2\)|permissionDecision|"decision/,
  why: "exit 1 is no refusal here: only exit 2 with a text on stderr is",
};
const SILENT_TWO = {
  sign: /^(?!.*(>&2|stderr|\/dev\/stderr)).*\bexit 2\b/s,
  why: "exit 2 without a text on stderr is no refusal here",
};
const TOP_LEVEL_DENY = {
  sign: /"(decision)\\?"\s*:\s*\\?"deny/,
  why: 'a top-level decision "deny" is not read here: hookSpecificOutput.permissionDecision is',
};
const ASK = {
  sign: /permissionDecision\\?"\s*:\s*\\?"ask/,
  why: '"ask" is a broken answer here, and the call goes on',
};
const NESTED_DENY = {
  sign: /permissionDecision/,
  why: 'permissionDecision is not read here: a top-level decision "deny" with a reason is',
};

/** Claude Code: only names and separators is a list of exact names, anything else an expression, unanchored. */
const CLAUDE_RULES: HookRules = {
  host: "claude-code",
  tools:
    "Bash Write Edit MultiEdit NotebookEdit Read Glob Grep WebFetch WebSearch Task Agent TodoWrite BashOutput KillShell Skill ExitPlanMode AskUserQuestion SlashCommand".split(
      " ",
    ),
  matches: (matcher, tool) => listed(matcher, /^[A-Za-z0-9_|, -]*$/, /[|,]/, tool) ?? tried(matcher, tool),
  unit: "s",
  types: ["command", "prompt", "agent", "http", "mcp_tool"],
  dropped: [],
  lost: [EXIT_ONE, TOP_LEVEL_DENY],
};

/** Codex: a list is split at `|` only; a comma or a dash makes an expression of it. */
const CODEX_RULES: HookRules = {
  host: "codex",
  tools: ["Bash", "apply_patch", "Write", "Edit", "spawn_agent", "Agent"],
  matches: (matcher, tool) => listed(matcher, /^[A-Za-z0-9_|]*$/, /\|/, tool) ?? tried(matcher, tool),
  unit: "s",
  types: ["command", "mcp_tool"],
  dropped: ["args", "if", "once", "shell", "env", "onFailure"],
  lost: [EXIT_ONE, SILENT_TWO, TOP_LEVEL_DENY, ASK],
};

/** Gemini CLI: always an expression, unanchored; what is none is one exact name. */
const GEMINI_RULES: HookRules = {
  host: "gemini-cli",
  tools:
    "run_shell_command write_file replace read_file read_many_files glob grep_search search_file_content list_directory web_fetch google_web_search save_memory invoke_agent write_todos".split(
      " ",
    ),
  events:
    "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection SessionStart SessionEnd PreCompress Notification".split(
      " ",
    ),
  matches: (matcher, tool) => tried(matcher, tool) ?? matcher === tool,
  unit: "ms",
  types: ["command"],
  dropped: ["if", "once", "async", "onFailure"],
  lost: [EXIT_ONE, NESTED_DENY],
};

/** Qwen Code: exact names first, then an expression. */
const QWEN_RULES: HookRules = {
  host: "qwen-code",
  tools:
    "run_shell_command Shell write_file edit read_file glob grep_search list_directory web_fetch web_search save_memory task agent notebook_edit todo_write".split(
      " ",
    ),
  matches: (matcher, tool) =>
    matcher === tool ||
    (!/^[\^(]/.test(matcher) &&
      matcher
        .split("|")
        .map((name) => name.trim())
        .includes(tool)) ||
    tried(matcher, tool),
  unit: "s",
  types: ["command", "http"],
  dropped: ["if", "onFailure"],
  lost: [EXIT_ONE, SILENT_TWO],
};

export const HOOK_RULES: readonly HookRules[] = [CLAUDE_RULES, CODEX_RULES, GEMINI_RULES, QWEN_RULES];

/** A list of exact names where it is one; undefined where it is an expression. */
function listed(matcher: string, alphabet: RegExp, separator: RegExp, tool: string): boolean | undefined {
  if (!alphabet.test(matcher)) return undefined;
  return matcher
    .split(separator)
    .map((name) => name.trim())
    .includes(tool);
}

const MAX_MATCHER_CHARS = 200;

/** By JavaScript's expressions; those of Rust that differ are rare. Names are short, and so is what we try. */
function tried(matcher: string, tool: string): boolean | undefined {
  if (matcher.length > MAX_MATCHER_CHARS || /[+*]\)[+*{]/.test(matcher)) return undefined;
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return undefined;
  }
}
