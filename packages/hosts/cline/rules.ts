import type { HookRules } from "../hook-rules.ts";

/** Its hooks are executables without matchers: what is known is which tools there are, in the editor and on the command line. */
export const CLINE_RULES: HookRules = {
  host: "cline",
  tools:
    "run_commands execute_command write_to_file replace_in_file read_file read_files apply_patch search_files list_files".split(
      " ",
    ),
  matches: (matcher, tool) => matcher === tool,
  unit: "s",
  types: [],
  dropped: [],
  lost: [],
};
