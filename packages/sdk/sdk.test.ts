import { describe, expect, test } from "bun:test";
import {
  allow,
  ask,
  cancel,
  context,
  defineHook,
  end,
  type HookCase,
  next,
  patch,
  paths,
  runCase,
  type ToolCall,
  UnreadablePatch,
} from "./index.ts";

describe("what a handler says", () => {
  test("every constructor gives the answer that spec describes", () => {
    const said = [next(), cancel("c"), patch({ tool_input: {} }), ask("q"), context("t"), allow("a"), end("e")];
    expect(said).toEqual([
      { answer: "continue" },
      { answer: "cancel", reason: "c" },
      { answer: "patch", fields: { tool_input: {} } },
      { answer: "ask", reason: "q" },
      { answer: "context", context: "t" },
      { answer: "allow", reason: "a" },
      { answer: "end", reason: "e" },
    ]);
  });
});

describe("paths", () => {
  test("names the file of a file tool and what is done to it", () => {
    expect(paths({ tool_name: "Write", tool_input: { file_path: "/p/a", content: "" } })).toEqual([
      { op: "write", path: "/p/a" },
    ]);
    expect(paths({ tool_name: "Read", tool_input: { file_path: "/p/a" } })).toEqual([{ op: "read", path: "/p/a" }]);
    expect(paths({ tool_name: "NotebookEdit", tool_input: { notebook_path: "/p/n.ipynb" } })).toEqual([
      { op: "write", path: "/p/n.ipynb" },
    ]);
  });

  test("lists every change of a patch, and leaves out what is no change", () => {
    const changes = [
      { op: "add", path: "/p/a" },
      { op: "delete", path: "/p/b" },
      { op: "move", path: "/p/c", to: "/p/d" },
      7,
    ];
    expect(paths({ tool_name: "apply_patch", tool_input: { patch: "", changes } })).toEqual([
      { op: "write", path: "/p/a" },
      { op: "delete", path: "/p/b" },
      { op: "move", path: "/p/c", to: "/p/d" },
    ]);
  });

  test("a patch that can't be read names nothing that could be trusted: refuse it", () => {
    const call: ToolCall = { tool_name: "apply_patch", tool_input: { patch: "*** what", changes: null } };
    expect(() => paths(call)).toThrow(UnreadablePatch);
    expect(paths({ tool_name: "apply_patch", tool_input: { patch: "" } })).toEqual([]);
  });

  test("a shell command, an unknown tool and a field of another kind name nothing", () => {
    expect(paths({ tool_name: "Bash", tool_input: { command: "rm x" } })).toEqual([]);
    expect(paths({ tool_name: "toString", tool_input: { file_path: "/p/a" } })).toEqual([]);
    expect(paths({ tool_name: "Write", tool_input: { file_path: 7 } })).toEqual([]);
  });
});

describe("runCase", () => {
  test("what a handler tells is in the result", async () => {
    const tells = defineHook(async (_, ctx) => {
      await ctx.emit("custom.seen", { n: 1 });
      await ctx.emit("custom.plain");
    });
    const one: HookCase = { name: "x", event: "Stop", input: {}, want: { answer: "continue" } };
    expect((await runCase(tells, one)).emitted).toEqual([
      { name: "custom.seen", data: { n: 1 } },
      { name: "custom.plain", data: null },
    ]);
  });

  const noRm = defineHook((payload, ctx) => {
    if (payload.hook_event_name !== "PreToolUse" || ctx.options.off === true) return undefined;
    return JSON.stringify(payload.tool_input).includes("rm ") ? cancel("rm is not for you") : next();
  });
  const rm: HookCase = {
    name: "rm",
    event: "PreToolUse",
    input: { tool_name: "Bash", tool_input: { command: "rm x" } },
    want: { answer: "cancel", reasonIncludes: "not for you" },
  };

  test("holds when answer and reason are as wanted", async () => {
    expect((await runCase(noRm, rm)).problem).toBeUndefined();
  });

  test("nothing returned reads as continue, and options reach the handler", async () => {
    const off: HookCase = { ...rm, options: { off: true }, want: { answer: "continue" } };
    expect(await runCase(noRm, off)).toEqual({ answer: { answer: "continue" }, problem: undefined, emitted: [] });
  });

  test("says what came when the answer, the reason or the patch is another", async () => {
    expect((await runCase(noRm, { ...rm, want: { answer: "continue" } })).problem).toBeDefined();
    expect((await runCase(noRm, { ...rm, want: { answer: "cancel", reasonIncludes: "moon" } })).problem).toBeDefined();
    const patched = defineHook(() => patch({ tool_input: { command: "ls" } }));
    const want = { answer: "patch", patch: { tool_input: { command: "ls -l" } } } as const;
    expect((await runCase(patched, { ...rm, want })).problem).toBeDefined();
  });
});

describe("payloads are typed by their event's name", () => {
  test.each([
    [{ event: "Stop", input: { last_assistant_message: "done", stop_hook_active: false } }, "cancel"],
    [{ event: "Stop", input: { stop_hook_active: true } }, "continue"],
    [{ event: "UserPromptSubmit", input: { prompt: "my token is x" } }, "patch"],
    [{ event: "PermissionRequest", input: { tool_name: "Bash", tool_input: { command: "ls" } } }, "allow"],
    [{ event: "PostToolBatch", input: { tool_calls: [] } }, "continue"],
    [{ event: "SessionStart", input: { source: "startup" } }, "context"],
    [{ event: "memory.save", input: { payload: { text: "a" } } }, "patch"],
    [{ event: "custom.deployed", input: {} }, "continue"],
  ] as const)("%p", async ({ event, input }, answer) => {
    const hook = defineHook((payload) => {
      switch (payload.hook_event_name) {
        case "Stop":
          return payload.stop_hook_active ? next() : cancel(`not after ${payload.last_assistant_message ?? ""}`);
        case "UserPromptSubmit":
          return patch({ prompt: payload.prompt.replace("x", "…") });
        case "PermissionRequest":
          return payload.tool_name === "Bash" ? allow("fine") : next();
        case "PostToolBatch":
          return payload.tool_calls?.length ? context("a batch") : next();
        case "SessionStart":
          return context(payload.source ?? "");
        case "memory.save":
          return "payload" in payload ? patch({ payload: payload.payload }) : next();
        default:
          return undefined;
      }
    });
    expect(await runCase(hook, { name: event, event, input, want: { answer } })).toMatchObject({ problem: undefined });
  });
});
