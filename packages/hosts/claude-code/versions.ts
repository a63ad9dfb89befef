import type { VersionRow } from "../versions.ts";

const since = (version: string, event: string): VersionRow => ({
  before: version,
  what: `has no ${event}`,
  effect: { kind: "events", absent: [event] },
});

/** By its changelog, and by runs of 2.1.197 and 2.1.332. */
export const claudeCodeVersions: readonly VersionRow[] = [
  since("1.0.41", "SubagentStop"),
  since("1.0.48", "PreCompact"),
  since("1.0.54", "UserPromptSubmit"),
  since("1.0.62", "SessionStart"),
  since("1.0.85", "SessionEnd"),
  since("2.0.43", "SubagentStart"),
  since("2.0.45", "PermissionRequest"),
  {
    before: "2.1.295",
    what: "knows no onFailure",
    effect: { kind: "field", absent: "onFailure" },
  },
  {
    before: "2.1.295",
    what: "lets a call pass when a hook is late or cannot start",
    effect: { kind: "passes", until: "2.1.295" },
  },
];
