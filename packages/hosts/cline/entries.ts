import { type HostSettings, SHIM_MARK } from "../settings.ts";

/** What it gives every hook; nothing in a file of ours can change that. */
const ALL_S = 30;
const EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "TaskStart",
  "TaskResume",
  "TaskComplete",
  "PreCompact",
  "SessionShutdown",
];
const EXECUTABLE = 0o755;

/** Cline 3.0.65: an executable for each event. */
export const clineSettings: HostSettings = {
  host: "cline",
  program: "cline",
  npm: "cline",
  folder: ".cline",
  personal: { kind: "shims", path: ".cline/hooks" },
  shared: ".clinerules/hooks",
  // Its hooks are programs: no file of it can be read for them.
  reads: [],
  plugins: [],
  comments: false,
  entries: EVENTS.map((event) => ({ event, guards: event === "PreToolUse", timeout: ALL_S })),
  shims: (commands) =>
    Object.entries(commands).map(([event, command]) => ({
      name: `${event}.sh`,
      text: `#!/bin/sh\n# ${SHIM_MARK}\n${command}\n`,
      mode: EXECUTABLE,
    })),
  shimCommand: (files, event) => files.find(({ path }) => path.endsWith(`/${event}.sh`))?.text,
  limits: [
    "a refused call ends the run; the model is not told why, nor are you without a terminal: hookpkg log says it",
    "a hook cannot ask: what asks is refused, saying that approval was needed",
    "a result cannot be replaced: what must not be read ends the run; only a command can be rewritten",
    "the start and end of a task cannot be refused, and without a terminal no prompt is told of",
    "a hook that takes longer than 30 s lets the call pass",
    "it has no trust of its own: every executable in that folder runs",
  ],
  refusal: (reason) => ({ to: "stdout", text: JSON.stringify({ cancel: true, errorMessage: reason }) }),
};
