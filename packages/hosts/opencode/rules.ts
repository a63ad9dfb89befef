import { toolsOnly } from "../hook-rules.ts";

/** Its hooks are code of its plugins. */
export const OPENCODE_RULES = toolsOnly(
  "opencode",
  "bash write edit multiedit patch apply_patch read glob grep list webfetch websearch task todowrite todoread",
);
