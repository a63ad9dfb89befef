import type { HostSettings } from "../settings.ts";

const TOOL_S = 60;
const PROMPT_S = 30;
const END_S = 5;
/** Without it, a hook that fails or is too slow lets the call pass. */
const CLOSED = { failClosed: true };

/** preToolUse covers what beforeShellExecution and the like ask about as well: with both, one call would be judged twice. */
const EVENTS = {
  preToolUse: TOOL_S,
  postToolUse: TOOL_S,
  postToolUseFailure: TOOL_S,
  beforeSubmitPrompt: PROMPT_S,
  sessionStart: TOOL_S,
  sessionEnd: END_S,
  subagentStart: TOOL_S,
  subagentStop: TOOL_S,
  preCompact: TOOL_S,
  stop: TOOL_S,
};

/** Cursor, by its documents: never seen in a run of ours. */
export const cursorSettings: HostSettings = {
  host: "cursor",
  program: "cursor-agent",
  folder: ".cursor",
  personal: { kind: "file", path: ".cursor/hooks.json" },
  shared: ".cursor/hooks.json",
  reads: [
    { scope: "personal", path: ".cursor/hooks.json", form: "json" },
    { scope: "project", path: ".cursor/hooks.json", form: "json" },
  ],
  plugins: [],
  comments: false,
  head: { version: 1 },
  flat: true,
  entries: Object.entries(EVENTS).map(([event, timeout]) => ({
    event,
    guards: event === "preToolUse",
    timeout,
    ...(event === "preToolUse" ? { fields: CLOSED } : {}),
  })),
  limits: [
    "this is written by Cursor's documents, and was not seen at work",
    "versions before 2.4 ask about no call: look whether hookpkg log has its calls",
    "a hook cannot ask at preToolUse: what asks is refused, saying that approval was needed",
    "the result of a tool that is no MCP tool stays with the model, whatever a hook says",
    "there is no permission event, and a session's start cannot be refused",
  ],
  refusal: (reason) => ({
    to: "stdout",
    text: JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason }),
  }),
  fault: ({ version }) => (version === 1 ? undefined : "version is not 1 in it: Cursor does not read it"),
};
