import type { VersionRow } from "../versions.ts";

const ABSENT = [
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "sessionStart",
  "sessionEnd",
  "subagentStart",
  "subagentStop",
  "preCompact",
];

/** By its documents: 1.7 began with six events, those of 2.0 have none of these, those of 2.4 have all. */
export const cursorVersions: readonly VersionRow[] = [
  {
    before: "2.4.0",
    what: "has no preToolUse, so it asks about no call",
    effect: { kind: "events", absent: ABSENT },
  },
];
