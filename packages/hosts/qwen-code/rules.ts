import { type HookRules, LOST, tried } from "../hook-rules.ts";

/** Names that it shows and those of Claude Code: exact names are tried on them, too. */
const SHOWN: Readonly<Record<string, string>> = {
  Bash: "run_shell_command",
  Write: "write_file",
  WriteFile: "write_file",
  Edit: "edit",
  Read: "read_file",
  ReadFile: "read_file",
  Glob: "glob",
  Grep: "grep_search",
  SearchText: "grep_search",
  LS: "list_directory",
  ListFiles: "list_directory",
  ReadFolder: "list_directory",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  SaveMemory: "save_memory",
  Task: "task",
  Agent: "agent",
  NotebookEdit: "notebook_edit",
  TodoWrite: "todo_write",
};

/** Exact names first, then an expression. */
export const QWEN_RULES: HookRules = {
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
        .some((name) => name === tool || (Object.hasOwn(SHOWN, name) && SHOWN[name] === tool))) ||
    tried(matcher, tool),
  unit: "s",
  types: ["command", "http"],
  dropped: ["if", "onFailure"],
  lost: [LOST.exitOne, LOST.silentTwo],
};
