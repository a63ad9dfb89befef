import { faultTable } from "@hookpkg/fault";

export const refuse = faultTable({
  E_USAGE: "the command was not called as it should be",
  E_COMMAND_UNKNOWN: "there is no such command",
  E_NO_TERMINAL: "this needs a terminal",
  E_INTERRUPTED: "interrupted; nothing was changed",
  E_INTERNAL: "hookpkg itself failed",
});
