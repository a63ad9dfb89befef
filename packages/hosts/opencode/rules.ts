import type { HookRules } from "../hook-rules.ts";

/** Its hooks are code, with no matchers, units or answers to read: what is known is which tools there are. */
export const OPENCODE_RULES: HookRules = {
  host: "opencode",
  tools:
    "bash write edit multiedit patch apply_patch read glob grep list webfetch websearch task todowrite todoread".split(
      " ",
    ),
  matches: (matcher, tool) => matcher === tool,
  unit: "s",
  types: [],
  dropped: [],
  lost: [],
};
