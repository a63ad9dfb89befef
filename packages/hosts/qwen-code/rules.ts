import { type HookRules, LOST, tried } from "../hook-rules.ts";

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
        .includes(tool)) ||
    tried(matcher, tool),
  unit: "s",
  types: ["command", "http"],
  dropped: ["if", "onFailure"],
  lost: [LOST.exitOne, LOST.silentTwo],
};
