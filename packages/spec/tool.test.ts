import { describe, expect, test } from "bun:test";
import {
  canonicalTool,
  hookShape,
  isMcpTool,
  KNOWN_TOOL_NAMES,
  TOOL_NAMES,
  type ToolHost,
  toolSubjects,
} from "./tool.ts";

describe("canonical names", () => {
  test.each([
    ["claude-code", "Bash", "Bash"],
    ["claude-code", "Task", "Agent"],
    ["codex", "exec_command", "Bash"],
    ["codex", "apply_patch", "apply_patch"],
    ["codex", "spawn_agent", "Agent"],
    ["gemini", "run_shell_command", "Bash"],
    ["gemini", "replace", "Edit"],
    ["gemini", "mcp_github_create_issue", "mcp__github__create_issue"],
    ["qwen", "agent", "Agent"],
    ["copilot", "create", "Write"],
    ["cline", "run_commands", "Bash"],
    ["cline", "read_files", "Read"],
    ["opencode", "multiedit", "MultiEdit"],
    ["kiro", "@github/create_issue", "mcp__github__create_issue"],
    ["codex", "mcp__github__create_issue", "mcp__github__create_issue"],
    ["codex", "create", "create"],
    ["claude-code", "constructor", "constructor"],
    ["claude-code", "mcp_github_x", "mcp_github_x"],
  ] as const satisfies (readonly [ToolHost, string, string])[])("%s %s: %s", (host, name, want) => {
    expect(canonicalTool(name, host)).toBe(want);
  });

  test("without a host every spelling counts", () => {
    expect(["run_shell_command", "shell", "write_file", "Deploy"].map((name) => canonicalTool(name))).toEqual([
      "Bash",
      "Bash",
      "Write",
      "Deploy",
    ]);
  });

  test("an alias never differs from a canonical name in case only", () => {
    const canonical = TOOL_NAMES.map((name) => name.toLowerCase());
    const aliases = KNOWN_TOOL_NAMES.slice(TOOL_NAMES.length);
    expect(aliases.filter((name) => canonical.includes(name.toLowerCase()))).toEqual([]);
  });

  test("a tool is among its own subjects, an unknown one alone", () => {
    for (const tool of TOOL_NAMES) expect(toolSubjects(tool)[0]).toBe(tool);
    expect(toolSubjects("Deploy")).toEqual(["Deploy"]);
  });

  test.each([
    ["mcp__a__b", true],
    ["mcp__a", false],
    ["mcp__a__", false],
    ["mcp__a b__c", false],
  ])("%s as an MCP tool: %p", (name, want) => expect(isMcpTool(name)).toBe(want));
});

describe("hook shapes", () => {
  test("paths become absolute, unknown fields survive", () => {
    expect(hookShape("Write", { file_path: "a/../b", content: "x", mode: 7 }, "/p")).toEqual({
      input: { file_path: "/p/b", content: "x", mode: 7 },
    });
  });

  test("an unknown tool's input is left alone", () => {
    const input = { path: "a" };
    expect(hookShape("Deploy", input, "/p")).toEqual({ input });
  });

  test("changes are read from the patch, whatever came as changes", () => {
    const patch = "*** Begin Patch\n*** Delete File: .env\n*** End Patch";
    expect(hookShape("apply_patch", { patch, changes: [] }, "/p")).toEqual({
      input: { patch, changes: [{ op: "delete", path: "/p/.env" }] },
    });
  });

  test.each([
    ["Bash", { command: ["ls"] }, "E_TOOL_SHAPE"],
    ["Bash", {}, "E_TOOL_SHAPE"],
    ["Write", { file_path: 1, content: "" }, "E_TOOL_SHAPE"],
    ["Edit", { file_path: "a", old_string: "" }, "E_TOOL_SHAPE"],
    ["MultiEdit", { file_path: "a", edits: [] }, "E_TOOL_SHAPE"],
    ["apply_patch", {}, "E_TOOL_SHAPE"],
    ["apply_patch", { patch: "x" }, "E_PATCH_UNREADABLE"],
  ])("%s %p: %s", (tool, input, code) => {
    const shape = hookShape(tool, input, "/p");
    expect(shape.fault?.code).toBe(code);
    if (tool === "apply_patch") expect(shape.input.changes).toBeNull();
  });
});
