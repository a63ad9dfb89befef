import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelClient, ModelRequest } from "@hookpkg/runtime";
import { type Payload, packageProblems } from "@hookpkg/spec";
import { guarded, guardedBy } from "./rules/guarded-project.ts";

setDefaultTimeout(60_000);

/** What the ancestors promise of handlers that are no program: models, posts, and a notifier of old. */

/** A model that does as it is told, and remembers what it was asked. */
function modelThat(reply: (request: ModelRequest) => ReturnType<ModelClient>) {
  const asked: ModelRequest[] = [];
  const model: ModelClient = async (request) => {
    asked.push(request);
    return await reply(request);
  };
  return { asked, model };
}
const calls = (tool: string, input: object) => async () => ({ text: "", calls: [{ tool, input }] });
const writes = (text: string) => async () => ({ text, calls: [] });

describe("Eva: the model itself is a handler", () => {
  const JUDGE = { type: "agent", prompt: "Is this call well? $ARGUMENTS", matcher: "Bash" } as const;

  test("its turn has exactly three tools, hook_patch only where it may patch, and ends with one call", async () => {
    using project = await guardedBy([
      { id: "all", ...JUDGE, may: ["cancel", "patch"] },
      { id: "veto", ...JUDGE, may: ["cancel"] },
    ]);
    const { asked, model } = modelThat(calls("hook_continue", {}));
    expect(await project.send({}, {}, { model })).toMatchObject({ decision: "continue" });
    expect(asked.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      ["hook_continue", "hook_cancel", "hook_patch"],
      ["hook_continue", "hook_cancel"],
    ]);
  });

  test("it cancels with its reason, and patches the call", async () => {
    using project = await guardedBy([{ ...JUDGE, may: ["cancel", "patch"] }]);
    const cancels = modelThat(calls("hook_cancel", { reason: "only by hand" }));
    expect(await project.send({ tool_use_id: "1" }, {}, { model: cancels.model })).toMatchObject({
      ...{ decision: "cancel", reason: expect.stringContaining("only by hand") },
    });
    const patches = modelThat(calls("hook_patch", { tool_input: { command: "ls -l" } }));
    expect(await project.send({ tool_use_id: "2" }, {}, { model: patches.model })).toMatchObject({
      ...{ decision: "continue", patch: { tool_input: { command: "ls -l" } } },
    });
  });

  test("inside the turn there is no middleware, neither others' nor its own: one event is one line for each handler", async () => {
    using project = await guardedBy([
      { id: "every", script: "cat >/dev/null" },
      { id: "judge", ...JUDGE, may: ["cancel"] },
    ]);
    await project.send({}, {}, { model: modelThat(calls("hook_cancel", { reason: "no" })).model });
    expect((await project.journal()).map(({ handler, outcome }) => [handler.split("#")[1], outcome])).toEqual([
      ["every", "answered"],
      ["judge", "answered"],
    ]);
  });

  test.each([
    ["open", "continue"],
    ["closed", "cancel"],
  ])(
    "its timeout is hard: a model that never answers is late, and an %s handler's event is a %s",
    async (failMode, decision) => {
      using project = await guardedBy([{ ...JUDGE, may: ["cancel"], failMode, timeout: 1 }]);
      const { model } = modelThat(() => new Promise<never>(() => {}));
      expect(await project.send({}, {}, { model })).toMatchObject({
        ...{ decision, handlers: [{ outcome: "late", why: "E_RUN_LATE" }] },
      });
    },
  );
});

describe("Peri: four kinds of handler", () => {
  test("a command, a post, a prompt and a sub-agent each block", async () => {
    const server = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: () => Response.json({ decision: "block", reason: "posted" }),
    });
    const model: ModelClient = async ({ tools = [] }) =>
      tools.length > 0
        ? { text: "", calls: [{ tool: "hook_cancel", input: { reason: "turned" } }] }
        : { text: '{"ok": false, "reason": "judged"}', calls: [] };
    const kinds = {
      command: [{ script: "echo ran >&2; exit 2" }, "ran"],
      http: [{ type: "http", url: `http://127.0.0.1:${server.port}/` }, "posted"],
      prompt: [{ type: "prompt", prompt: "Well?" }, "judged"],
      agent: [{ type: "agent", prompt: "Well?", matcher: "Bash" }, "turned"],
    } as const;
    try {
      for (const [handler, reason] of Object.values(kinds)) {
        const manifest = { capabilities: { net: [`127.0.0.1:${server.port}`] } };
        using project = await guarded({ "@acme/rules": { handlers: [{ ...handler, may: ["cancel"] }], manifest } });
        expect(await project.send({}, {}, { model })).toMatchObject({
          ...{ decision: "cancel", reason: expect.stringContaining(reason) },
        });
      }
    } finally {
      server.stop(true);
    }
  });

  test("$ARGUMENTS is the whole input, and a prompt has one call without tools", async () => {
    using project = await guardedBy([{ type: "prompt", prompt: "Look at $ARGUMENTS and say.", may: ["cancel"] }]);
    const { asked, model } = modelThat(writes('{"ok": true}'));
    const input = { tool_input: { command: "echo $ARGUMENTS", timeout: 5 }, odd_field: [1] };
    await project.send(input, {}, { model });
    expect(asked.map(({ tools = [] }) => tools)).toEqual([[]]);
    const [, event = "{}"] = /^<event-\w+>\n(.*)\n<\/event-\w+>$/m.exec(asked[0]?.prompt ?? "") ?? [];
    expect(JSON.parse(event)).toEqual(project.event(input));
  });

  test("a post has the whole input as its body, and loopback is a host like any other that is declared", async () => {
    const bodies: unknown[] = [];
    const server = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: async (request) => {
        bodies.push(await request.json());
        return new Response();
      },
    });
    const manifest = { capabilities: { net: [`127.0.0.1:${server.port}`] } };
    const handler = { type: "http", url: `http://127.0.0.1:${server.port}/hook`, may: ["cancel"] };
    using project = await guarded({ "@acme/rules": { handlers: [handler], manifest } });
    const input: Partial<Payload> = { tool_use_id: "t", odd_field: { deep: [1] } };
    expect(await project.send(input)).toMatchObject({ decision: "continue", handlers: [{ outcome: "answered" }] });
    expect(bodies).toEqual([project.event(input)]);
    server.stop(true);
  });

  test.each(["10.1.2.3", "172.16.0.9", "192.168.1.1", "169.254.169.254", "[::ffff:10.0.0.1]", "0x7f.1", "2130706433"])(
    "a post into a private network is refused before anything runs: %s",
    (host) => {
      const files = {
        "hookpkg.json": JSON.stringify({
          ...{ name: "@a/b", version: "1.0.0", description: "x", capabilities: { net: [`${host}:80`] } },
        }),
        "hooks/hooks.json": JSON.stringify({
          hooks: {
            PreToolUse: [{ hooks: [{ id: "post", type: "http", url: `http://${host}:80/`, may: ["cancel"] }] }],
          },
        }),
      };
      const bytes = Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
      const codes = packageProblems(new Map(bytes)).map(({ code }) => code);
      expect(codes).toContain("E_FIELD_VALUE");
      expect(codes).toContain("E_HTTP_URL");
    },
  );
});

test("AstraCode: its notify, imported, gets the end of a turn as its last argument and nothing on stdin", async () => {
  const base = mkdtempSync(join(tmpdir(), "hookpkg-seeds-"));
  try {
    const SHOW =
      'import os, sys; open(os.environ["PLUGIN_DATA"] + "/told", "w").write(sys.argv[-1] + sys.stdin.read())';
    writeFileSync(join(base, "config.toml"), `notify = ["python3", "-c", ${JSON.stringify(SHOW)}, "--finished"]\n`);
    const main = join(import.meta.dir, "../cli/main.ts");
    const words = ["new", join(base, "made"), "--from", join(base, "config.toml"), "--host", "astracode"];
    const made = Bun.spawnSync([process.execPath, main, ...words, "--home", join(base, "home")], { cwd: base });
    expect([made.exitCode, made.stderr.toString()]).toEqual([0, ""]);
    const text = (path: string) => readFileSync(join(base, "made", path), "utf8");
    const { hooks } = JSON.parse(text("hooks/hooks.json"));
    const [[event, [{ hooks: handlers }]]] = Object.entries<[{ hooks: [object] }]>(hooks) as [
      [string, [{ hooks: [{ id: string; type: string }] }]],
    ];
    const { requires, capabilities } = JSON.parse(text("hookpkg.json"));
    using project = await guarded({
      "@acme/rules": {
        handlers: handlers.map((handler) => ({ event, ...handler })),
        files: { "hooks/legacy-notify.py": text("hooks/legacy-notify.py") },
        manifest: { requires, capabilities },
      },
    });
    await project.send({ hook_event_name: "turn.completed", turn_id: "t1", last_assistant_message: "done" });
    expect((await project.journal()).at(-1)).toMatchObject({ event: "turn.completed", outcome: "answered" });
    const [told = ""] = [...new Bun.Glob("**/told").scanSync({ cwd: project.home.data, absolute: true })];
    expect(JSON.parse(readFileSync(told, "utf8"))).toMatchObject({ type: "agent-turn-complete", "turn-id": "t1" });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
