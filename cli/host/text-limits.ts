import type { HostName } from "@hookpkg/hosts";
import type { Request } from "@hookpkg/runtime";

/**
 * What a host puts before its model of one text; of a longer one Claude Code shows 2 KB and Codex (2,500 tokens of four bytes) both ends,
 * each with a file of its own, so ours would be lost in it. Somewhat less, for what they write around it.
 */
export const TAKES: Readonly<Partial<Record<HostName, NonNullable<Request["takes"]>>>> = {
  "claude-code": { max: 9500, unit: "characters" },
  codex: { max: 9500, unit: "bytes" },
  astracode: { max: 9500, unit: "bytes" },
};
