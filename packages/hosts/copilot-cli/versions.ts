import type { VersionRow } from "../versions.ts";

/** By its changelog; 1.0.102 was seen at work. From 1.0.57 on an exit of 2 refuses: as an error first, as a refusal since 1.0.70. */
export const copilotCliVersions: readonly VersionRow[] = [
  { since: "1.0.57", what: "takes an exit of 2 for a refusal", effect: { kind: "exit-refuses" } },
  {
    before: "1.0.57",
    what: "lets a call pass after a hook that fails, exit 2 too",
    effect: { kind: "passes", until: "1.0.70" },
  },
];
