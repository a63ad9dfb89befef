import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { type Decision, EVENT_NAMES, eventRow, foldEvent, inputSchema } from "@hookpkg/spec";
import fc from "fast-check";
import { z } from "zod";
import { HOSTS, type HostAdapter, type HostEvent, hostNamed } from "./index.ts";

const schemas = join(import.meta.dir, "../spec/schemas");
const captures = join(import.meta.dir, "../../fixtures/captures");
const host = (name: string): HostAdapter => {
  const adapter = hostNamed(name);
  if (!adapter) throw new Error(name);
  return adapter;
};
const capture = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(captures, path), "utf8"));
const filesOf = (folder: string) =>
  readdirSync(join(captures, folder))
    .filter((file) => file !== "env-names.json")
    .map((file) => `${folder}/${file}`);
const decision = (more: Partial<Decision>): Decision => ({
  v: 1,
  decision: "continue",
  person: [],
  handlers: [],
  ...more,
});
const code = (call: () => unknown): string | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
};

describe.each([
  ["claude-code", "claude"],
  ["codex", "codex"],
])("%s reads what it really sends", (name, folder) => {
  test.each(filesOf(folder))("%s", (path) => {
    const raw = capture(path);
    const event = host(name).read(readFileSync(join(captures, path)));
    expect(event.hostEventName).toBe(String(raw.hook_event_name));
    expect(event.raw).toEqual(raw);
    if (event.event === null) throw new Error("not served");
    expect(event.event).toBe(raw.hook_event_name as never);
    expect(event.fault).toBeUndefined();
    for (const field of Object.keys(raw)) expect(event.payload).toHaveProperty(field);
  });

  test("its variables show in what its hooks were started with", () => {
    const { names } = JSON.parse(readFileSync(join(captures, folder, "env-names.json"), "utf8"));
    const { projectVariable, markers } = host(name);
    if (projectVariable) expect(names).toContain(projectVariable);
    expect(markers.some((marker) => names.includes(marker))).toBe(name === "claude-code");
  });
});

const read = (name: string, raw: unknown): Extract<HostEvent, { payload: object }> => {
  const event = host(name).read(raw);
  if (event.event === null) throw new Error("not served");
  return event;
};

describe("canonical form", () => {
  test("Codex's patch becomes changes, and matches as Write and Edit", () => {
    const { payload, subjects } = read("codex", capture("codex/PreToolUse.apply_patch.json"));
    expect(payload.tool_name).toBe("apply_patch");
    expect(payload.tool_input).toEqual({
      patch: "*** Begin Patch\n*** Add File: new.txt\n+abc\n*** End Patch\n",
      changes: [{ op: "add", path: "/project/new.txt", content: "abc\n" }],
    });
    expect(subjects).toEqual(expect.arrayContaining(["apply_patch", "Write", "Edit", "write_file"]));
  });

  test("a patch that can't be read has no changes and says so", () => {
    const raw = { ...capture("codex/PreToolUse.apply_patch.json"), tool_input: { command: "*** Begin Patch\nx" } };
    const { payload, fault } = read("codex", raw);
    expect(payload.tool_input?.changes).toBeNull();
    expect(fault?.code).toBe("E_PATCH_UNREADABLE");
  });

  test("Codex's spawn_agent is Agent, its message the prompt", () => {
    const { payload, subjects } = read("codex", capture("codex/PreToolUse.spawn_agent.json"));
    expect([payload.tool_name, payload.tool_input]).toEqual(["Agent", { prompt: "SUBTASK-42 run it" }]);
    expect(subjects).toEqual(expect.arrayContaining(["Agent", "Task", "spawn_agent"]));
  });

  test("an input that is no object stands under value, and comes back as it was", () => {
    const raw = { ...capture("codex/PreToolUse.json"), tool_name: "freeform", tool_input: "text" };
    const event = read("codex", raw);
    expect(event.payload.tool_input).toEqual({ value: "text" });
    const { stdout } = host("codex").write(event, decision({ patch: { tool_input: { value: "other" } } }));
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toBe("other");
  });

  test("relative paths become absolute, unknown fields survive, within the input too", () => {
    const raw = {
      ...capture("claude/PreToolUse.Write.json"),
      tool_input: { file_path: "../a", content: "", x: { y: 1 } },
      z: [1],
    };
    const { payload } = read("claude-code", raw);
    expect(payload.tool_input).toEqual({ file_path: "/a", content: "", x: { y: 1 } });
    expect(payload.z).toEqual([1]);
  });

  test("a session's end is matched by its reason", () => {
    expect(read("claude-code", capture("claude/SessionEnd.json")).subjects).toEqual(["other"]);
  });

  test("a call without the shape of its tool is read, with the fault beside it", () => {
    const event = read("claude-code", { ...capture("claude/PreToolUse.json"), tool_input: { command: 5 } });
    expect(event.fault?.code).toBe("E_TOOL_SHAPE");
    expect(event.payload.tool_input).toEqual({ command: 5 });
  });

  test("native takes every spelling of an event, the others only their own", () => {
    const raw = { ...capture("claude/PreToolUse.json"), hook_event_name: "tool.call" };
    const event = read("native", raw);
    expect([event.event, event.payload.hook_event_name, event.hostEventName]).toEqual([
      "PreToolUse",
      "PreToolUse",
      "tool.call",
    ]);
    expect(host("claude-code").read(raw).event).toBeNull();
    expect(host("codex").read({ ...raw, hook_event_name: "preToolUse" }).event).toBeNull();
  });
});

test.each([
  ["claude-code", "claude/SessionStart.json", ["startup"]],
  ["claude-code", "claude/PreCompact.json", ["manual"]],
  ["claude-code", "claude/Setup.json", ["init"]],
  ["claude-code", "claude/SubagentStop.json", ["general-purpose"]],
  ["codex", "codex/SubagentStart.json", ["default"]],
  ["codex", "codex/UserPromptSubmit.json", []],
  ["codex", "codex/Stop.json", []],
  ["native", "qwen/Notification.json", ["auth_success"]],
  ["native", "qwen/InstructionsLoaded.json", ["session_start"]],
])("%s: matchers of %s are tried on %p", (name, path, subjects) => {
  expect(read(name, capture(path)).subjects).toEqual(subjects);
});

test("a changed file is matched by its name and its path", () => {
  const raw = { ...capture("claude/Setup.json"), hook_event_name: "FileChanged", file_path: "/p/.env" };
  expect(read("claude-code", raw).subjects).toEqual([".env", "/p/.env"]);
});

test("the calls of a batch have canonical names and shapes, each with what else it carries", () => {
  const { payload } = read("native", capture("qwen/PostToolBatch.json"));
  expect(payload.tool_calls).toMatchObject([{ tool_name: "Bash", tool_input: { command: expect.any(String) } }]);
  const claude = capture("claude/PostToolBatch.json");
  expect(read("claude-code", claude).payload.tool_calls).toEqual(claude.tool_calls);
  const odd = [7, null, { tool_name: 5, tool_input: {} }, { tool_name: "Read", tool_input: { file_path: "a" } }];
  expect(read("claude-code", { ...claude, tool_calls: [odd[3]] }).payload.tool_calls).toEqual([
    { tool_name: "Read", tool_input: { file_path: "/project/a" } },
  ]);
  expect(code(() => read("claude-code", { ...claude, tool_calls: odd }))).toBe("E_HOST_FIELD");
});

describe("every event of the captures is read in native form", () => {
  const all = ["claude", "codex", "gemini", "qwen"].flatMap(filesOf);
  test.each(all)("%s", (path) => {
    const raw = capture(path);
    const { payload, event } = read("native", raw);
    expect<string | undefined>(event).toBe(foldEvent(String(raw.hook_event_name)));
    expect(inputSchema(event).safeParse(payload).error).toBeUndefined();
    const schema: { $defs: { input: z.core.JSONSchema.JSONSchema } } = JSON.parse(
      readFileSync(join(schemas, `${event}.generated.json`), "utf8"),
    );
    expect(z.fromJSONSchema(schema.$defs.input).safeParse(payload).error).toBeUndefined();
    for (const field of Object.keys(raw)) expect(payload).toHaveProperty([field]);
  });

  test("a stage that a host declares keeps its payload", () => {
    const raw = { ...capture("codex/Stop.json"), hook_event_name: "memory.save", payload: { text: "t" } };
    expect(read("native", raw).payload).toEqual({ ...raw, hook_event_name: "memory.save" } as never);
  });
});

test("a slip in the name of an event is an embedder's mistake, a new event is not", () => {
  const raw = capture("claude/PreToolUse.json");
  for (const hook_event_name of ["tool.cal", "pretooluse", "PreToolUze", "custm.x"])
    expect(code(() => host("native").read({ ...raw, hook_event_name }))).toBe("E_HOST_EVENT_NAME");
  expect(host("native").read({ ...raw, hook_event_name: "SomethingNew" }).event).toBeNull();
  expect<string | null>(host("native").read({ ...raw, hook_event_name: "host.stage" }).event).toBe("host.stage");
});

test("native folds a host's own tool name when the shape is right, and reads Codex's patch", () => {
  const raw = capture("claude/PreToolUse.json");
  const call = (tool_name: string, tool_input: object) => read("native", { ...raw, tool_name, tool_input }).payload;
  expect(call("run_shell_command", { command: "ls" }).tool_name).toBe("Bash");
  expect(call("create", { path: "a", file_text: "b" }).tool_name).toBe("create");
  const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
  expect(call("apply_patch", { command: patch }).tool_input).toEqual({
    command: patch,
    patch,
    changes: [{ op: "delete", path: "/project/a" }],
  });
});

test("a byte order mark before the object is no part of it", () => {
  const text = JSON.stringify(capture("claude/PreToolUse.json"));
  expect(host("claude-code").read(`\ufeff${text}`).event).toBe("PreToolUse");
  expect(host("codex").read(Buffer.from(`\ufeff${text}`)).event).toBe("PreToolUse");
});

describe("what can't be read has a code", () => {
  const good = capture("claude/PreToolUse.json");
  const without = (field: string) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
  test.each([
    ["nothing", "", "E_HOST_NOT_JSON"],
    ["no bytes", new Uint8Array(), "E_HOST_NOT_JSON"],
    ["a truncated object", JSON.stringify(good).slice(0, -5), "E_HOST_NOT_JSON"],
    ["two objects", "{}{}", "E_HOST_NOT_JSON"],
    ["a key twice", '{"hook_event_name":"Stop","hook_event_name":"PreToolUse"}', "E_HOST_NOT_JSON"],
    ["bytes that are no text", Uint8Array.of(0x7b, 0xff, 0x7d), "E_HOST_NOT_JSON"],
    ["an array", [good], "E_HOST_NOT_JSON"],
    ["null", null, "E_HOST_NOT_JSON"],
    ["undefined", undefined, "E_HOST_NOT_JSON"],
    ["a number", "5", "E_HOST_NOT_JSON"],
    ["something huge", `{"x":"${"y".repeat(17 * 1024 * 1024)}"}`, "E_HOST_TOO_LARGE"],
    ["something deep", `{"x":${"[".repeat(1000)}${"]".repeat(1000)}}`, "E_HOST_TOO_LARGE"],
    ["no event", without("hook_event_name"), "E_HOST_EVENT_NAME"],
    ["an event that is no text", { ...good, hook_event_name: 5 }, "E_HOST_EVENT_NAME"],
    ["an event's name without end", { ...good, hook_event_name: "x".repeat(1000) }, "E_HOST_EVENT_NAME"],
    ["no tool", without("tool_name"), "E_HOST_FIELD"],
    ["a tool without a name", { ...good, tool_name: "" }, "E_HOST_FIELD"],
    ["a tool's name with a blank", { ...good, tool_name: " Bash" }, "E_HOST_FIELD"],
    ["a tool's name with a sign that can't be seen", { ...good, tool_name: "Ba\u200bsh" }, "E_HOST_FIELD"],
    ["a tool that is no text", { ...good, tool_name: ["Bash"] }, "E_HOST_FIELD"],
    ["no input", without("tool_input"), "E_HOST_FIELD"],
    ["no session", without("session_id"), "E_HOST_FIELD"],
    ["no folder", without("cwd"), "E_HOST_FIELD"],
    ["a relative folder", { ...good, cwd: "project" }, "E_HOST_FIELD"],
    ["a wrong type", { ...good, tool_use_id: {} }, "E_HOST_FIELD"],
  ] as const)("%s", (_, input, want) => {
    for (const adapter of HOSTS) expect([adapter.name, code(() => adapter.read(input))]).toEqual([adapter.name, want]);
  });

  test("anything is read or has a code", () => {
    const name = fc.constantFrom(...EVENT_NAMES, "custom.x", "SomethingNew");
    const object = fc
      .tuple(fc.dictionary(fc.constantFrom(...Object.keys(good), "__proto__"), fc.jsonValue()), name, fc.boolean())
      .map(([fields, hook_event_name, complete]) => ({ ...(complete ? good : {}), ...fields, hook_event_name }));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uint8Array(), fc.jsonValue(), object), (input) => {
        for (const adapter of HOSTS) {
          const found = code(() =>
            adapter.write(
              adapter.read(input),
              decision({ decision: "cancel", patch: { tool_input: {}, tool_response: 1 } }),
            ),
          );
          expect(found ?? "E_HOST_").toStartWith("E_HOST_");
        }
      }),
    );
  });
});

describe("refusals", () => {
  /** What another hook's allow can't lift on Qwen Code. */
  const lasting = JSON.stringify({
    decision: "block",
    reason: "no state[2J",
    continue: false,
    stopReason: "no state[2J",
  });
  const byExit = HOSTS.filter(({ name }) => !["cline", "cursor", "copilot-cli"].includes(name));
  test.each(byExit.map((adapter) => [adapter.name, adapter] as const))(
    "%s: exit 2, a reason, no stdout",
    (_, adapter) => {
      for (const event of [{}, { name: "PreToolUse" }, { name: "PermissionRequest" }, { name: "SomethingNew" }])
        expect(adapter.refuse(event, "no state\u001b[2J")).toEqual({
          exit: 2,
          stdout: "",
          stderr: adapter.name === "qwen-code" ? `${lasting}\n` : "no state[2J\n",
        });
      expect(adapter.refuse({ name: "PreToolUse" }, "").stderr).not.toBe("\n");
      expect(adapter.refuse({ name: "PreToolUse" }, "x".repeat(100_000)).stderr.length).toBeLessThan(5000);
    },
  );

  test.each([
    ["cline", 0, { cancel: true, errorMessage: "no state" }],
    ["cursor", 2, { permission: "deny", agent_message: "no state" }],
    ["copilot-cli", 0, { behavior: "deny", permissionDecision: "deny", permissionDecisionReason: "no state" }],
  ])("%s reads the reason on stdout only", (name, exit, said) => {
    for (const event of [{}, { name: "PreToolUse" }, { name: "PermissionRequest" }, { name: "SomethingNew" }]) {
      const reply = host(name).refuse(event, "no state");
      expect([reply.exit, JSON.parse(reply.stdout)]).toEqual([exit, expect.objectContaining(said)]);
    }
    expect(JSON.stringify(host(name).refuse({}, "")).length).toBeGreaterThan(60);
    expect(host(name).refuse({}, "x".repeat(100_000)).stdout.length).toBeLessThan(15_000);
  });

  test("nothing is refused where a refusal guards nothing", () => {
    const free = EVENT_NAMES.filter((name) => !eventRow(name).may.includes("cancel"));
    expect(free).toContain("SessionEnd");
    for (const adapter of HOSTS)
      for (const name of [...free, "Stop", "SubagentStop", "stop", "SessionShutdown"])
        expect(adapter.refuse({ name }, "r")).toEqual({ exit: 0, stdout: "", stderr: "r\n" });
  });

  test("where a host obeys no exit code it is told to end", () => {
    const ended = { exit: 0, stdout: '{"continue":false,"stopReason":"r"}\n', stderr: "" };
    expect(host("codex").refuse({ name: "SessionStart" }, "r")).toEqual(ended);
    expect(host("codex").refuse({ name: "PreCompact" }, "r")).toEqual(ended);
    expect(host("claude-code").refuse({ name: "SessionStart" }, "r")).toEqual(ended);
    expect(host("claude-code").refuse({ name: "PreCompact" }, "r").exit).toBe(2);
    expect(host("native").refuse({ name: "SessionStart" }, "r").exit).toBe(2);
  });
});

describe("events that no capture shows", () => {
  const raw = capture("claude/PreToolUse.json");
  const written = (name: string, more: object, what: Partial<Decision>) => {
    const event = host(name).read({ ...raw, ...more });
    return host(name).write(event, decision({ reason: "r", ...what }));
  };
  const json = (stdout: object) => ({ exit: 0, stdout: `${JSON.stringify(stdout)}\n`, stderr: "" });
  const output = (hookEventName: string, more: object) => ({ hookSpecificOutput: { hookEventName, ...more } });

  test.each(["UserPromptExpansion", "TeammateIdle", "TaskCompleted"])("Claude's %s is blocked by its exit", (name) => {
    const more = { hook_event_name: name };
    expect(written("claude-code", more, { decision: "cancel" })).toEqual({ exit: 2, stdout: "", stderr: "r\n" });
    expect(written("claude-code", more, {})).toEqual({ exit: 0, stdout: "", stderr: "" });
  });

  test("Claude's switch of models, a skill's command and an elicitation are refused in their own fields", () => {
    const deny = { permissionDecision: "deny", permissionDecisionReason: "r" };
    const cancel = { decision: "cancel" } as const;
    expect(written("claude-code", { hook_event_name: "PreModelSwitch" }, cancel)).toEqual(
      json(output("PreModelSwitch", deny)),
    );
    expect(written("claude-code", { hook_event_name: "PreSkillShellCommand" }, cancel)).toEqual(
      json({ decision: "block", reason: "r", ...output("PreSkillShellCommand", deny) }),
    );
    expect(written("claude-code", { hook_event_name: "Elicitation" }, cancel)).toEqual(
      json({ systemMessage: "r", ...output("Elicitation", { action: "decline" }) }),
    );
  });

  test("Codex's permission request is allowed, refused or left to the person", () => {
    const more = { hook_event_name: "PermissionRequest" };
    const say = (what: Decision["decision"]) => written("codex", more, { decision: what });
    expect(say("cancel")).toEqual(json(output("PermissionRequest", { decision: { behavior: "deny", message: "r" } })));
    expect(say("allow")).toEqual(json(output("PermissionRequest", { decision: { behavior: "allow" } })));
    for (const what of ["ask", "continue"] as const) expect(say(what).stdout).toBe("");
  });

  test("a notice says nothing, whatever was decided, and an event of later passes", () => {
    for (const name of ["Notification", "PostCompact", "SessionEnd", "SomethingNew"])
      for (const adapter of ["claude-code", "codex"])
        expect(written(adapter, { hook_event_name: name }, { decision: "cancel", person: ["p"] }).stdout).toBe("");
    expect(host("codex").read({ ...raw, hook_event_name: "Notification" }).event).toBeNull();
  });
});

test("every decision at every event of Claude Code is obeyed: its own event's name, no void verdict, one line", () => {
  const raw = { ...capture("claude/PostToolUse.json"), prompt: "p" };
  const verdicts = ["continue", "cancel", "ask", "allow", "end"] as const;
  for (const name of EVENT_NAMES)
    for (const verdict of verdicts) {
      const event = host("claude-code").read({ ...raw, hook_event_name: name });
      const patch = { tool_input: { command: "ls" }, tool_response: "x", prompt: "x", error: "x" };
      const { exit, stdout, stderr } = host("claude-code").write(
        event,
        decision({ decision: verdict, reason: "r", context: "c", patch }),
      );
      const refuses = event.event !== null && eventRow(event.event).may.includes("cancel");
      if ((verdict === "cancel" || verdict === "end") && refuses) expect(`${stdout}${stderr}`).toContain("r");
      if (event.event === null || eventRow(event.event).kind === "notice") expect([exit, stdout]).toEqual([0, ""]);
      if (stdout === "") continue;
      const answer: { decision?: string; hookSpecificOutput?: { hookEventName: string } } = JSON.parse(stdout);
      expect([undefined, "block"]).toContain(answer.decision);
      expect(answer.hookSpecificOutput?.hookEventName ?? name).toBe(name);
    }
});

test("a rewrite that can't be handed back is a refusal, not the call as it came", () => {
  for (const name of ["claude-code", "codex"]) {
    const event = read(name, { ...capture("claude/PreToolUse.json"), tool_name: "freeform", tool_input: "text" });
    const { stdout } = host(name).write(event, decision({ patch: { tool_input: { other: 1 } } }));
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  }
});

describe("hosts in other spellings", () => {
  const call = (name: string, file: string) => {
    const { payload, subjects } = read(name, capture(file));
    return { tool: payload.tool_name, input: payload.tool_input, result: payload.tool_response, subjects };
  };

  test("Copilot's two spellings are one event", () => {
    const camel = read("copilot-cli", capture("copilot-cli/camel.preToolUse.json"));
    const pascal = read("copilot-cli", capture("copilot-cli/PreToolUse.json"));
    for (const { payload } of [camel, pascal])
      expect(payload).toMatchObject({
        ...{ hook_event_name: "PreToolUse", cwd: "/project", tool_name: "Bash" },
        tool_input: { command: "touch marker" },
      });
    expect(camel.payload.session_id).toBe(pascal.payload.session_id);
    for (const [file, event] of [
      ["camel.postToolUse", "PostToolUse"],
      ["camel.postToolUseFailure", "PostToolUseFailure"],
      ["camel.permissionRequest", "PermissionRequest"],
      ["camel.userPromptSubmitted", "UserPromptSubmit"],
      ["camel.sessionStart", "SessionStart"],
      ["camel.sessionEnd", "SessionEnd"],
      ["camel.agentStop", "Stop"],
    ])
      expect([file, host("copilot-cli").read(capture(`copilot-cli/${file}.json`)).event as string]).toEqual([
        file,
        event,
      ]);
    const text = { ...capture("copilot-cli/camel.preToolUse.json"), toolArgs: '{"command":"ls"}' };
    expect(read("copilot-cli", text).payload.tool_input).toEqual({ command: "ls" });
  });

  test("files are named by file_path, whatever the host's key", () => {
    for (const [name, file] of [
      ["copilot-cli", "copilot-cli/PreToolUse.Write.json"],
      ["copilot-cli", "copilot-cli/camel.preToolUse.create.json"],
      ["opencode", "opencode/tool.execute.before.write.json"],
      ["astracode", "astracode/PreToolUse.write_file.json"],
    ] as const)
      expect([file, call(name, file)]).toMatchObject([
        file,
        { tool: "Write", input: { file_path: "/project/a.txt", content: "x" } },
      ]);
    for (const [name, file] of [
      ["copilot-cli", "copilot-cli/PreToolUse.Edit.json"],
      ["opencode", "opencode/tool.execute.before.edit.json"],
    ] as const)
      expect(call(name, file)).toMatchObject({ tool: "Edit", input: { old_string: "x", new_string: "y" } });
    expect(call("cline", "cline/PreToolUse.read_files.json")).toMatchObject({
      tool: "Read",
      input: { file_path: "/etc/hostname" },
    });
  });

  test("Cline's commands are one, line by line; several files are shown, and have no one path", () => {
    const raw = capture("cline/PreToolUse.json");
    const several = {
      ...raw,
      tool_call: { name: "run_commands", input: { commands: ["ls", { command: "rm", args: ["-r", "x"] }] } },
    };
    expect(read("cline", several).payload.tool_input).toEqual({ command: "ls\nrm -r x" });
    const older = { ...raw, tool_call: undefined };
    expect(read("cline", older).payload.tool_input).toEqual({ command: "touch marker" });
    const files = [{ path: "/a" }, { path: "/b" }];
    const two = read("cline", { ...raw, tool_call: { name: "read_files", input: { files } } });
    expect([two.payload.tool_input, two.fault?.code]).toEqual([{ files }, "E_TOOL_SHAPE"]);
  });

  test("Cursor's inputs of MCP tools are JSON in a text, its older events calls of their tools", () => {
    expect(call("cursor", "cursor/preToolUse.mcp.json").input).toEqual({ query: "x" });
    expect(call("cursor", "cursor/postToolUse.mcp.json").result).toEqual({ found: 1 });
    expect(call("cursor", "cursor/beforeShellExecution.json")).toMatchObject({
      tool: "Bash",
      input: { command: "ls" },
    });
    expect(call("cursor", "cursor/beforeReadFile.json")).toMatchObject({
      tool: "Read",
      input: { file_path: "/project/a.txt" },
    });
    expect(call("cursor", "cursor/afterFileEdit.json")).toMatchObject({ tool: "MultiEdit" });
  });

  test("Peri's tool_output is the result", () => {
    expect(call("peri", "peri/PostToolUse.json").result).toBe("a\n");
  });

  test("who started an entry of Claude Code's", () => {
    const caller = (file: string, env = {}) => host("claude-code").caller?.(JSON.stringify(capture(file)), env);
    expect(caller("claude/PreToolUse.json")).toBeUndefined();
    expect(caller("claude/PreToolUse.json", { COPILOT_CLI: "1" })).toBeUndefined();
    expect(caller("copilot-cli/PreToolUse.json")).toBe("copilot-cli");
    expect(caller("copilot-cli/camel.permissionRequest.json")).toBe("copilot-cli");
    expect(caller("peri/PreToolUse.json", { CLAUDE_HOOK_EVENT_NAME: "PreToolUse" })).toBe("peri");
    expect(caller("claude/PreToolUse.json", { CLAUDE_HOOK_EVENT_NAME: "x", CLAUDECODE: "1" })).toBeUndefined();
    expect(host("claude-code").caller?.(new TextEncoder().encode('{"timestamp"'), {})).toBeUndefined();
  });
});
