import { toolsOnly } from "../hook-rules.ts";

/** Its hooks are executables: in the editor and on the command line these are its tools. */
export const CLINE_RULES = toolsOnly(
  "cline",
  "run_commands execute_command write_to_file replace_in_file read_file read_files apply_patch search_files list_files",
);
