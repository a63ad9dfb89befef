import { expect, test } from "bun:test";
import { canAsk } from "./can-ask.ts";
import { HOSTS, hostNamed } from "./index.ts";

/** A call as each host tells it, where its form is its own. */
const OWN: Readonly<Record<string, object>> = {
  "gemini-cli": { hook_event_name: "BeforeTool", tool_name: "run_shell_command" },
  cline: {
    hookName: "PreToolUse",
    taskId: "t",
    workspaceRoots: ["/p"],
    preToolUse: { toolName: "execute_command", parameters: { command: "ls" } },
  },
  eva: { hook_event_name: "tool.call", payload: { name: "shell", input: { command: "ls" } } },
};
const call = (host: string, more: object = {}) => ({
  ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: null, cwd: "/p" },
  ...{ tool_name: "Bash", tool_input: { command: "ls" }, ...OWN[host], ...more },
});
const asks = (host: string, more: object = {}) => {
  const adapter = hostNamed(host) ?? HOSTS[0];
  if (adapter?.name !== host) throw new Error(host);
  const event = adapter.read(call(host, more));
  expect(event.event).not.toBe(null);
  return canAsk(adapter, event);
};

test("before a tool these hosts put a hook's question to their person, and the others refuse", () => {
  const names: string[] = HOSTS.map(({ name }) => name);
  expect(names.filter((name) => asks(name)).sort()).toEqual([
    ...["claude-code", "copilot-cli", "gemini-cli", "native", "qwen-code"],
  ]);
});

test("it depends on the event, too: Claude Code asks nobody while permissions are bypassed, Cursor asks about shells only", () => {
  expect(asks("claude-code", { permission_mode: "bypassPermissions" })).toBe(false);
  const shell = {
    hook_event_name: "beforeShellExecution",
    command: "ls",
    conversation_id: "c",
    workspace_roots: ["/p"],
  };
  expect(asks("cursor", shell)).toBe(true);
});
