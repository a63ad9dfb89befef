import { expect, test } from "bun:test";
import { parseMatcher } from "@hookpkg/spec";
import { canonicalMatcher, HOOK_SOURCES, type HookSource, hostWords, inSeconds } from "./index.ts";

const source = (name: string): HookSource => {
  const found = HOOK_SOURCES.find(({ adapter }) => adapter.name === name);
  if (!found) throw new Error(`${name} hands on no hooks`);
  return found;
};

test.each([
  ["claude-code", null, undefined],
  ["claude-code", "*", undefined],
  ["claude-code", "Bash|Write", "Bash|Write"],
  ["claude-code", "Task, Bash", "Agent|Bash"],
  ["claude-code", "Bash,bash", "Bash"],
  ["claude-code", "mcp__github__.*", "mcp__github__.*"],
  ["claude-code", "(Write|Edit)", "(Write|Edit)"],
  ["claude-code", "^(?!Bash|Read)(Write|Read)$", "Write"],
  ["claude-code", "^(?=mcp__|Bash)", "^Bash$|^BashOutput$|^mcp__"],
  ["claude-code", "B\\ash|Gr\\ep", "Bash|Grep|BashOutput"],
  ["qwen-code", "WriteFile|ReadFile", "Write|Read"],
  ["codex", "apply_patch|Write", "apply_patch|Write"],
  ["codex", "spawn_agent", "Agent"],
  ["astracode", "write_file|Bash", "Write|Bash"],
  ["peri", "Bash|Edit", "Bash|Edit"],
  ["gemini-cli", "run_shell_command", "Bash"],
  ["gemini-cli", "write_file|replace", "Write|Edit"],
  ["gemini-cli", "^(read_file|replace)$", "Read|Edit"],
  ["gemini-cli", ".*", undefined],
  ["gemini-cli", "mcp_github_.*", "mcp__github__.*"],
  ["gemini-cli", "mcp_gh_x|write_file", "(mcp__gh__x)|^Write$"],
  ["gemini-cli", "mcp_my_server_do_it", "mcp__my__?server__?do__?it"],
  ["gemini-cli", "delete", "(delete)"],
  ["gemini-cli", "my_tool", "(my_tool)"],
  ["codex", "mcp__my-server|Bash", "(mcp__my-server)|^Bash$"],
  ["codex", "mcp__server__tool", "mcp__server__tool"],
  ["qwen-code", "deploy", "(deploy)"],
  ["qwen-code", "Shell", "Bash"],
  ["qwen-code", "write_file|read_file", "Write|Read"],
  ["qwen-code", "Bash", "Bash"],
])("%s: the matcher %p is %p here", (host, text, wanted) => {
  const { matcher, drops } = canonicalMatcher(text, source(host));
  expect({ matcher, drops }).toEqual({ matcher: wanted, drops: undefined });
  expect(() => parseMatcher(matcher)).not.toThrow();
});

test.each([
  ["claude-code", "bash"],
  ["claude-code", "^(?!.)$"],
  ["gemini-cli", "(?<=x)y"],
])("%s: of %p nothing is left", (host, text) => {
  expect(canonicalMatcher(text, source(host)).drops).toBeString();
});

test.each([
  ["claude-code", 30, 30],
  ["codex", 600, 600],
  ["peri", 1000, 1000],
  ["astracode", 5, 5],
  ["gemini-cli", 5000, 5],
  ["gemini-cli", 1500, 1.5],
  ["qwen-code", 8, 8],
  ["qwen-code", 8000, 8],
])("%s: a timeout of %d is %d seconds", (host, timeout, seconds) => {
  expect(inSeconds(source(host), timeout)).toBe(seconds);
});

test("words that a host finds anywhere are their tools here, which is said", () => {
  expect(canonicalMatcher("write_file", source("gemini-cli")).notes.join()).toContain("MCP servers");
  expect(canonicalMatcher("^write_file$", source("gemini-cli")).notes.join()).not.toContain("MCP servers");
});

test("hosts with names of their own are told of events in them; text inside an event stays as it is", () => {
  const event = JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: 'echo \'"tool_name":"Bash"\'' },
  });
  const told = (host: string, line = event) => {
    const sed = hostWords(source(host))?.sed ?? "";
    const { stdout, exitCode } = Bun.spawnSync(["sed", sed], { stdin: Buffer.from(`${line}\n`) });
    expect(exitCode).toBe(0);
    return JSON.parse(stdout.toString());
  };
  expect(told("gemini-cli")).toEqual({
    ...JSON.parse(event),
    hook_event_name: "BeforeTool",
    tool_name: "run_shell_command",
  });
  expect(told("qwen-code")).toEqual({ ...JSON.parse(event), tool_name: "run_shell_command" });
  expect(told("gemini-cli", '{"tool_name":"mcp__github__get_issue"}')).toEqual({ tool_name: "mcp_github_get_issue" });
  for (const host of ["claude-code", "codex", "peri", "astracode"]) expect(hostWords(source(host))).toBeNull();
});
