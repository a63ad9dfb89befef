import type { VersionRow } from "../versions.ts";

/** Seen: 0.15.10 and 0.24.4. What came after is known by its documents alone. */
export const qwenCodeVersions: readonly VersionRow[] = [
  {
    before: "0.15.11",
    what: "tells of no session's start, subagent or failed call",
    effect: { kind: "events", absent: ["SessionStart", "SubagentStart", "SubagentStop", "PostToolUseFailure"] },
  },
  {
    since: "0.26.8",
    what: "asks for your approval of a project's hooks when it first sees them: until then they do not run",
    effect: { kind: "project-trust" },
  },
];
