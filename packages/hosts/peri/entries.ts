import { claudeCodeSettings } from "../claude-code/entries.ts";
import type { HostSettings } from "../settings.ts";

const { npm: _npm, folderVariable: _variable, environment: _files, ...claudes } = claudeCodeSettings;

/** Peri, by its source. It reads Claude Code's settings and runs the entries there: one set of them is for both. */
export const periSettings: HostSettings = {
  ...claudes,
  host: "peri",
  program: "peri",
  folder: ".peri",
  runs: "claude-code",
  reads: claudeCodeSettings.reads.filter(({ scope }) => scope !== "machine"),
  limits: [
    "this is written by Peri's source, and was not seen at work",
    "it reads Claude Code's settings: who has both hosts has one set of entries for both",
    "a hook cannot ask: what asks is refused, saying that approval was needed",
    "a result stays with the model, and a session's start cannot be refused",
    "newer versions take broken JSON for a refusal; a hook that is too slow lets the call pass",
    "it has no trust of its own: what stands in the settings runs",
  ],
};
