import { entriesFor, type HostSettings } from "../settings.ts";
import { denialOf } from "./denial.ts";

/** Its own default, and after it a call passes: a longer one was not seen to hold. */
const TOOL_S = 30;
const END_S = 5;

/** In this spelling events come with Claude Code's names of tools, and with the transcript. */
const EVENTS = {
  PreToolUse: TOOL_S,
  PermissionRequest: TOOL_S,
  PostToolUse: TOOL_S,
  PostToolUseFailure: TOOL_S,
  UserPromptSubmit: TOOL_S,
  SessionStart: TOOL_S,
  SessionEnd: END_S,
  Stop: TOOL_S,
  SubagentStart: TOOL_S,
  SubagentStop: TOOL_S,
  PreCompact: TOOL_S,
};

/** GitHub Copilot CLI 1.0.102. */
export const copilotCliSettings: HostSettings = {
  host: "copilot-cli",
  program: "copilot",
  npm: "@github/copilot",
  folder: ".copilot",
  personal: { kind: "file", path: ".copilot/hooks/hookpkg.json" },
  shared: ".github/hooks/hookpkg.json",
  reads: [
    { scope: "personal", path: ".copilot/hooks/*.json", form: "json" },
    { scope: "personal", path: ".copilot/settings.json", form: "json", bare: true },
    { scope: "project", path: ".github/hooks/*.json", form: "json" },
    { scope: "project", path: ".claude/settings.json", form: "json", bare: true },
  ],
  plugins: [],
  comments: false,
  head: { version: 1 },
  entries: entriesFor(EVENTS),
  limits: [
    "a project's hooks run in a folder that Copilot trusts only; yours run everywhere",
    "a project's hooks for Claude Code run here, too; where both ask hookpkg, it answers once",
    "a session's start and compactions cannot be refused, and a stop cannot be made final",
    "a prompt that is refused ends a run without a terminal with exit 1",
    "a hook that takes longer than its timeout lets the call pass",
  ],
  // Older versions take an exit of 2 for an error and go on: every version reads an answer.
  refusal: (text, event) => ({ to: "stdout", text: JSON.stringify(denialOf(text, event)), exit: 0 }),
  // It then refuses for the exit code, and never passes stderr on.
  exitRefusal: (text) => ({ to: "stderr", text }),
  fault: ({ version, disableAllHooks }) =>
    version !== 1
      ? "version is not 1 in it: Copilot does not read it"
      : disableAllHooks === true
        ? "disableAllHooks is set in it: no hook runs"
        : undefined,
};
