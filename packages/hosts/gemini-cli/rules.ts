import { type HookRules, LOST, tried } from "../hook-rules.ts";

/** Always an expression, unanchored; what is none is one exact name. */
export const GEMINI_RULES: HookRules = {
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
  lost: [
    LOST.exitOne,
    {
      sign: /permissionDecision/,
      why: 'permissionDecision is not read here: a top-level decision "deny" with a reason is',
    },
  ],
};
