import { faultyGroup, type HostSettings } from "../settings.ts";

const PROMPT_S = 30;
const TOOL_S = 600;
/** Its own default is 1.5 s; hookpkg hands the event over in less. */
const END_S = 5;
/** Since 2.1.295: a hook that could not be started or ran late refuses, too. */
const BLOCK = { onFailure: "block" };

/** Claude Code 2.1.332. */
export const claudeCodeSettings: HostSettings = {
  host: "claude-code",
  program: "claude",
  npm: "@anthropic-ai/claude-code",
  folder: ".claude",
  folderVariable: { name: "CLAUDE_CONFIG_DIR", folder: ".claude" },
  environment: [".claude/settings.json", ".claude/settings.local.json"],
  personal: { kind: "file", path: ".claude/settings.json" },
  shared: ".claude/settings.json",
  reads: [
    { scope: "machine", path: "/etc/claude-code/managed-settings.json", form: "json" },
    { scope: "personal", path: ".claude/settings.json", form: "json" },
    { scope: "project", path: ".claude/settings.json", form: "json" },
    { scope: "project", path: ".claude/settings.local.json", form: "json" },
  ],
  plugins: [{ folder: ".claude/plugins/cache", depth: 3 }],
  comments: false,
  entries: [
    { event: "PreToolUse", guards: true, timeout: TOOL_S, fields: BLOCK },
    { event: "PermissionRequest", guards: true, timeout: TOOL_S, fields: BLOCK },
    { event: "PostToolUse", guards: false, timeout: TOOL_S },
    { event: "PostToolUseFailure", guards: false, timeout: TOOL_S },
    { event: "UserPromptSubmit", guards: false, timeout: PROMPT_S },
    { event: "SessionStart", guards: false, timeout: TOOL_S },
    { event: "SessionEnd", guards: false, timeout: END_S },
    { event: "Stop", guards: false, timeout: TOOL_S },
    { event: "SubagentStart", guards: false, timeout: TOOL_S },
    { event: "SubagentStop", guards: false, timeout: TOOL_S },
    { event: "PreCompact", guards: false, timeout: TOOL_S },
  ],
  limits: [
    "the result of a failed call stays with the model, whatever a hook says",
    "with several hooks that rewrite a call, the last to finish wins",
    "a project's env block reaches every hook's shell: with LD_PRELOAD its code runs before ours",
    "--bare, --safe-mode and disableAllHooks switch every hook off",
  ],
  refusal,
  fault: (settings) =>
    settings.disableAllHooks === true
      ? "disableAllHooks is set in it: no hook runs"
      : faultyGroup(settings, ["PreToolUse", "PermissionRequest", "PreSkillShellCommand"]),
};

/** From stderr it would show the model the whole entry beside the reason. */
function refusal(reason: string, event: string): { to: "stdout"; text: string } {
  const verdict =
    event === "PermissionRequest"
      ? { decision: { behavior: "deny", message: reason } }
      : { permissionDecision: "deny", permissionDecisionReason: reason };
  return { to: "stdout", text: JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...verdict } }) };
}
