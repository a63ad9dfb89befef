import { entriesFor, type HostSettings } from "../settings.ts";

/** Seconds, and 1000 of them would be read as milliseconds. After 60 the call passes whatever stands here. */
const TOOL_S = 55;
const END_S = 5;

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

/** Qwen Code 0.24.4. */
export const qwenCodeSettings: HostSettings = {
  host: "qwen-code",
  program: "qwen",
  npm: "@qwen-code/qwen-code",
  folder: ".qwen",
  environment: [".qwen/settings.json", ".qwen/.env"],
  personal: { kind: "file", path: ".qwen/settings.json" },
  shared: ".qwen/settings.json",
  reads: [
    { scope: "personal", path: ".qwen/settings.json", form: "json" },
    { scope: "project", path: ".qwen/settings.json", form: "json" },
  ],
  plugins: [{ folder: ".qwen/extensions", depth: 1 }],
  comments: true,
  entries: entriesFor(EVENTS),
  limits: [
    "it does not take a rewritten call: what rewrites one is refused",
    "nothing that a hook says before a tool reaches the model but a refusal",
    "a session's start cannot be refused, and without a terminal its end is not told",
    "of several hooks the last one's allow lifts another's deny; ours says more and stays",
    "a hook that takes longer than its timeout lets the call pass",
  ],
  refusal: (reason) => ({
    to: "stderr",
    text: JSON.stringify({ decision: "block", reason, continue: false, stopReason: reason }),
  }),
  fault: ({ disableAllHooks }) => (disableAllHooks === true ? "disableAllHooks is set in it: no hook runs" : undefined),
};
