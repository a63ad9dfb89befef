import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@hookpkg/fault";
import { hostNamed } from "@hookpkg/hosts";
import { EVENT_NAMES, type Payload, packageProblems } from "@hookpkg/spec";
import { GuardedProject, guarded, guardedBy, type HandlerText } from "./rules/guarded-project.ts";

setDefaultTimeout(60_000);

/** What the three ancestors promise their users, each rule kept here as the product keeps it: chain, journal and sandbox are the real ones. */

const CANCEL = { may: ["cancel"], failMode: "closed" } as const;
const module = (body: string) => `export default (event, ctx) => { ${body} };\n`;
const outcomes = (handlers: readonly { handler: string; outcome?: string; answer?: string; why?: string }[]) =>
  handlers.map(({ handler, outcome, answer, why }) => [handler.split("#")[1], outcome, why ?? answer].join(" "));
const say = (answer: object) => `cat >/dev/null; printf '%s' '${JSON.stringify(answer)}'`;
const output = (event: string, more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });
const problemsOf = (hooks: unknown, manifest: object = {}, more: Record<string, string> = {}) => {
  const files = {
    "hookpkg.json": JSON.stringify({ name: "@a/b", version: "1.0.0", description: "x", ...manifest }),
    "hooks/hooks.json": typeof hooks === "string" ? hooks : JSON.stringify({ hooks }),
    ...more,
  };
  const bytes = Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
  return packageProblems(new Map(bytes)).map(({ code, path }) => `${code} ${path}`);
};

describe("Eva", () => {
  test("a handler gets its stage and payload and answers continue, cancel or patch", async () => {
    const code = module(`
      if (event.payload.text === "secret") return { answer: "cancel", reason: event.hook_event_name };
      if (event.payload.text === "long") return { answer: "patch", fields: { payload: { ...event.payload, text: "short" } } };`);
    using project = await guardedBy([{ event: "memory.save", code, may: ["cancel", "patch"], failMode: "closed" }]);
    const save = (text: string) =>
      project.send({ hook_event_name: "memory.save", payload: { text, rest: [1] } }, { host: "native" });
    expect((await save("fine")).decision).toBe("continue");
    expect(await save("secret")).toMatchObject({ decision: "cancel", reason: "@acme/rules#guard: memory.save" });
    expect((await save("long")).patch).toEqual({ payload: { text: "short", rest: [1] } });
  });

  test("fields that nobody here knows survive a patch", async () => {
    const code = module(`return { answer: "patch", fields: { tool_input: { command: "pwd" } } };`);
    using project = await guardedBy([{ code, may: ["patch"] }]);
    const { patch } = await project.send({ tool_input: { command: "ls", timeout: 5, new_field: { deep: true } } });
    expect(patch).toEqual({ tool_input: { command: "pwd", timeout: 5, new_field: { deep: true } } });
  });

  test("a dead handler is a continue, or by its own declaration a cancel; the reason is in the journal", async () => {
    const code = module(`throw new Error("the disk is gone");`);
    for (const [failMode, verdict] of [
      [undefined, "continue"],
      ["closed", "cancel"],
    ] as const) {
      using project = await guardedBy([{ code, may: ["cancel"], ...(failMode ? { failMode } : {}) }]);
      expect((await project.send()).decision).toBe(verdict);
      expect((await project.journal()).at(-1)).toMatchObject({
        ...{ outcome: "failed", code: "E_RUN_THREW", told: verdict },
        why: expect.stringContaining("the disk is gone"),
      });
    }
  });

  test("only handlers that declared a stage are called at it", async () => {
    using project = await guardedBy([
      { id: "call", script: "exit 2", ...CANCEL },
      { id: "result", event: "PostToolUse", script: "exit 2", ...CANCEL },
    ]);
    expect(outcomes((await project.send()).handlers)).toEqual(["call answered cancel"]);
    expect((await project.send({ hook_event_name: "UserPromptSubmit", prompt: "x" })).handlers).toEqual([]);
  });

  test("a call is seen and patched by its stable hook shape, and the host's own call is built back from it", async () => {
    const code = module(
      `return { answer: "patch", fields: { tool_input: { prompt: event.tool_input.prompt + ", gently" } } };`,
    );
    using project = await guardedBy([{ matcher: "Agent", code, may: ["patch"] }]);
    const codex = hostNamed("codex");
    const call = { tool_name: "spawn_agent", tool_input: { message: "look around", model: "m" }, tool_use_id: "t1" };
    const raw = { ...project.event({}), ...call, turn_id: "1", permission_mode: "default", model: "m" };
    const event = codex?.read(new TextEncoder().encode(JSON.stringify(raw)));
    if (!codex || !event || event.event === null) throw new Error("Codex's event was not read");
    expect(event.payload).toMatchObject({ tool_name: "Agent", tool_input: { prompt: "look around" } });
    const decision = await project.send(event.payload, { host: "codex", subjects: event.subjects });
    const { hookSpecificOutput } = JSON.parse(codex.write(event, decision).stdout);
    expect(hookSpecificOutput.updatedInput).toEqual({ message: "look around, gently", model: "m" });
  });

  test("one run a call, not one a name; the payload has the canonical one", async () => {
    const code = module(`return { answer: "cancel", reason: event.tool_name };`);
    using project = await guardedBy([{ matcher: "Write|Edit|apply_patch", code, ...CANCEL }]);
    const patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
    const { handlers, reason } = await project.send({
      tool_name: "apply_patch",
      tool_input: { patch, changes: [{ op: "add", path: "/tmp/a", content: "x\n" }] },
    });
    expect([handlers.length, reason]).toEqual([1, "@acme/rules#guard: apply_patch"]);
  });

  test("the chain is sequential: references give the order, patches compose in it, the journal is written in it", async () => {
    const add = (letter: string) =>
      module(
        `return { answer: "patch", fields: { tool_input: { command: event.tool_input.command + "${letter}" } } };`,
      );
    using project = await guardedBy([
      { id: "c", code: add("c"), may: ["patch"], after: ["#b"] },
      { id: "b", code: add("b"), may: ["patch"] },
      { id: "a", code: add("a"), may: ["patch"], before: ["#b"] },
    ]);
    expect((await project.send({ tool_input: { command: "" } })).patch).toEqual({ tool_input: { command: "abc" } });
    expect((await project.journal()).map(({ handler }) => handler.split("#")[1])).toEqual(["a", "b", "c"]);
  });

  test("an output over budget is whole in a file, and the agent gets head, tail and path, which it may read", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join("\n");
    const script = `cat >/dev/null; i=0; printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"line 0'; while [ $((i+=1)) -lt 20000 ]; do printf '\\\\nline %d' $i; done; printf '"}}'`;
    using project = await guardedBy([{ script, may: ["context"] }]);
    const { context = "" } = await project.send();
    expect(context.length).toBeLessThan(10_100);
    expect(context).toStartWith("hook @acme/rules#guard:\n```\nline 0\nline 1\n");
    expect(context).toEndWith("\nline 19999\n```");
    const [, file = ""] = /… [\d,]+ characters left out; all of it: (\S+) …/.exec(context) ?? [];
    expect(readFileSync(file, "utf8")).toBe(`${lines}\n`);
    expect((await project.send({ tool_input: { command: `cat ${file}` } })).decision).toBe("continue");
  });

  test("every lane of a megabyte is bounded and whole in a file; a patch of one arrives whole", async () => {
    const big = `head -c 1000000 /dev/zero | tr '\\0' x`;
    const lanes: HandlerText[] = [
      { script: `${big} >&2; exit 2`, ...CANCEL },
      { script: `printf '{"decision":"block","reason":"'; ${big}; printf '"}'`, event: "Stop", ...CANCEL },
      {
        script: `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"'; ${big}; printf '"}}'`,
        may: ["ask"],
      },
      { script: big, event: "UserPromptSubmit", may: ["context"] },
    ];
    for (const lane of lanes) {
      using project = await guardedBy([lane]);
      const event = lane.event === undefined ? {} : { hook_event_name: lane.event, prompt: "hi" };
      const { reason = "", context = "", person } = await project.send(event as Partial<Payload>);
      const told = reason + context;
      expect(told.length).toBeGreaterThan(9000);
      expect(told.length).toBeLessThan(10_100);
      const [, file = ""] = /all of it: (\S+) …/.exec(told) ?? [];
      expect(statSync(file).size).toBe(1_000_001);
      expect(person.some((line) => line.includes("a file has all of it"))).toBe(true);
    }
    const patch = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"'; ${big}; printf '"}}}'`;
    using project = await guardedBy([{ script: patch, may: ["patch", "allow"] }]);
    const { patch: made } = await project.send();
    expect(made?.tool_input).toEqual({ command: "x".repeat(1_000_000) });
  });

  test("no handler sees what others said at length, whatever it may read", async () => {
    using project = await guarded({
      "@acme/long": {
        handlers: [{ code: module(`return { answer: "context", context: "word ".repeat(9000) };`), may: ["context"] }],
      },
    });
    const { temporary } = project.outside;
    await project.send();
    const [own = ""] = readdirSync(temporary);
    expect(readdirSync(join(temporary, own, "spill"))).toHaveLength(1);
    const read = { manifest: { capabilities: { read: [temporary, join(temporary, own, "spill")] } } };
    await project.propose({
      "@acme/nosy": { handlers: [{ script: `ls -R ${temporary} >&2; exit 2`, ...CANCEL }], ...read },
    });
    await project.consent();
    const { reason } = await project.send();
    expect(reason).toContain(own);
    expect(reason).not.toContain("spill");
    expect(reason).not.toContain("cannot open"); // an empty folder, not one that another user may not list
    expect(reason).not.toContain(".txt");
  });

  test("a handler at the end cannot hang it: its timeout is clamped, with a warning beforehand and in the journal", async () => {
    const end: HandlerText = { event: "SessionEnd", script: "sleep 30", timeout: 20, may: [] };
    const { script: command, event: _, ...rest } = end;
    expect(problemsOf({ SessionEnd: [{ hooks: [{ id: "x", type: "command", command, ...rest }] }] })).toContain(
      "W_TIMEOUT_CLAMPED hooks/hooks.json: hooks.SessionEnd[0].hooks[0].timeout",
    );
    using project = await guardedBy([end]);
    await project.send({ hook_event_name: "SessionEnd", reason: "exit" });
    expect((await project.journal()).at(-1)).toMatchObject({
      outcome: "late",
      why: expect.stringMatching(/^clamped: /),
    });
  });

  test("a veto on a result hides it and says why; a remark is a patch that keeps the original wrapped", async () => {
    const code = module(`
      const text = String(event.tool_response);
      return text.includes("token")
        ? { answer: "cancel", reason: "it shows a token" }
        : { answer: "patch", fields: { tool_response: "<remark>careful</remark>\\n" + text } };`);
    using project = await guardedBy([{ event: "tool.result", code, may: ["cancel", "patch"], failMode: "closed" }]);
    const result = (tool_response: string) => project.send({ hook_event_name: "PostToolUse", tool_response });
    const hidden = await result("token=1");
    expect(hidden).toMatchObject({ decision: "cancel", reason: "@acme/rules#guard: it shows a token" });
    expect(hidden.person[0]).toBe("hookpkg: result hidden by @acme/rules#guard: it shows a token");
    expect((await result("fine")).patch).toEqual({ tool_response: "<remark>careful</remark>\nfine" });
    const codex = hostNamed("codex");
    const event = { host: "codex", hostEventName: "PostToolUse", event: "PostToolUse" } as never; // as an adapter is told it
    expect(codex?.write(event, hidden).stdout).toContain("nothing was undone");
  });

  test.each([
    [
      "a cycle",
      [
        { id: "a", before: ["#b"] },
        { id: "b", before: ["#a"] },
      ],
      "E_CHAIN_CYCLE",
    ],
    ["a broken link", [{ id: "a", after: ["@gone/away#x"] }, { id: "b" }], "E_CHAIN_REFERENCE"],
  ])("%s turns the chain off as a whole, and a problem is filed that is shown", async (_, handlers, code) => {
    const rest = { script: "exit 2", may: ["cancel"] };
    using open = await guardedBy(handlers.map((each) => ({ ...rest, ...each })));
    const passed = await open.send();
    expect(passed.decision).toBe("continue");
    expect(outcomes(passed.handlers)).toEqual(["a skipped E_CHAIN_OFF", "b skipped E_CHAIN_OFF"]);
    expect(passed.person.join()).toContain(code);
    expect((await open.view()).problems.map((problem) => problem.code)).toEqual([code]);
    const start = await open.send({ hook_event_name: "SessionStart", source: "startup", session_id: "next" });
    expect(start.person.join()).toContain(code);
    using closed = await guardedBy(handlers.map((each) => ({ ...rest, failMode: "closed", ...each })));
    expect((await closed.send()).decision).toBe("cancel");
  });

  test("another order runs only after a person has consented to it", async () => {
    const packages = {
      "@a/one": { handlers: [{ script: "true", ...CANCEL }] },
      "@b/two": { handlers: [{ script: "true", ...CANCEL }] },
    };
    using project = await guarded(packages);
    project.write(".hookpkg/project.json", JSON.stringify({ order: { PreToolUse: ["@b/two", "@a/one"] } }));
    const names = async () => (await project.send()).handlers.map(({ handler }) => handler);
    expect(await names()).toEqual(["@a/one#guard", "@b/two#guard"]);
    expect((await project.view()).order?.events).toMatchObject([
      { event: "PreToolUse", after: ["@b/two#guard", "@a/one#guard"] },
    ]);
  });

  test("one journal for stages and notices: the point, who, what was said and what came of it", async () => {
    using project = await guardedBy([
      { id: "stage", script: "echo no >&2; exit 2", ...CANCEL },
      { id: "notice", event: "turn.completed", script: "true", may: [] },
    ]);
    await project.send();
    await project.send({ hook_event_name: "turn.completed" }, { host: "native" });
    const lines = (await project.journal()).filter(({ outcome }) => outcome !== "not-run");
    expect(lines).toMatchObject([
      {
        event: "PreToolUse",
        handler: "@acme/rules#stage",
        outcome: "answered",
        answer: "cancel",
        why: "no",
        told: "cancel",
      },
      { event: "turn.completed", handler: "@acme/rules#notice", outcome: "answered", told: "continue" },
    ]);
  });

  const WAITS = `until [ -e gate ]; do sleep 0.02; done`;
  const SERVES = `import json, os, sys, time
print(json.dumps({"ready": 1}), flush=True)
call = json.loads(sys.stdin.readline())
while not os.path.exists(os.environ["PROJECT_DIR"] + "/gate"): time.sleep(0.02)
print(json.dumps({"id": call["id"], "answer": {"answer": "continue"}}), flush=True)
sys.stdin.read()
`;
  const KINDS: readonly [kind: string, handler: (url: string) => HandlerText][] = [
    [
      "a module",
      () => ({
        code: `import { existsSync } from "node:fs";
export default async (_, ctx) => { while (!existsSync(ctx.project + "/gate")) await Bun.sleep(20); };\n`,
      }),
    ],
    ["a command", () => ({ script: WAITS })],
    ["a service", () => ({ type: "service", argv: ["python3", "-I", "${PLUGIN_ROOT}/serve.py"] })],
    ["an http handler", (url) => ({ type: "http", url })],
    ["a prompt", () => ({ type: "prompt", prompt: "count what it cost" })],
  ];
  const TOLD = [
    ...KINDS.map(([kind, handler]) => [kind, "a notice", { event: "spend.day" }, handler] as const),
    ...KINDS.slice(0, -1).map(
      ([kind, handler]) => [kind, "a stage, as an observer", { async: true }, handler] as const,
    ),
  ];

  test.each(TOLD)(
    "events cost their emitter nothing: %s hears of %s when the answer is out",
    async (_kind, _of, where, handler) => {
      const gate = Promise.withResolvers<void>();
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => gate.promise.then(() => new Response()),
      });
      const capabilities = { project: "read", net: [`127.0.0.1:${server.port}`] };
      const text = { ...where, ...handler(`http://127.0.0.1:${server.port}/`), may: [] };
      const files = { "serve.py": SERVES };
      using project = await guarded({ "@acme/rules": { handlers: [text], files, manifest: { capabilities } } });
      const left: Promise<void>[] = [];
      const after = (work: () => Promise<void>) => void left.push(work());
      const event = "event" in where ? { hook_event_name: where.event } : {};
      const { decision } = await project.send(event, { after }, { onTrigger: () => gate.promise });
      expect(decision).toBe("continue"); // while its handler still waits for what comes now
      gate.resolve();
      project.write("gate", "");
      await Promise.all(left);
      expect((await project.journal()).map(({ outcome }) => outcome)).toEqual(["not-run", "answered"]);
      server.stop(true);
    },
  );

  test("an event begins a turn with the prompt that was written for it: on spend.day count where the money went", async () => {
    using project = await guardedBy([
      { event: "spend.day", type: "prompt", prompt: "Count where the money went; say if it is dear.", model: "large" },
    ]);
    const begun: unknown[] = [];
    const onTrigger = async (trigger: object) => void begun.push(trigger);
    const { handlers } = await project.send(
      { hook_event_name: "spend.day", payload: { usd: 40 } },
      { host: "eva" },
      { onTrigger },
    );
    expect(outcomes(handlers)).toEqual(["guard  "]);
    expect(begun).toMatchObject([
      {
        ...{ handler: "@acme/rules#guard", event: "spend.day", model: "large", host: "eva", project: project.root },
        prompt: expect.stringMatching(/Count where the money went[\s\S]*"usd":40/),
      },
    ]);
    expect((await project.journal()).at(-1)).toMatchObject({ outcome: "answered", why: "its turn was begun" });
  });

  test("modules tell custom.<name> of their own, and whoever reacts to it hears whose word it is", async () => {
    using project = await guardedBy([
      { id: "ship", code: module(`ctx.emit("custom.shipped", { to: "staging" });`), may: [] },
      { id: "hear", event: "custom.shipped", code: module(`ctx.log(event.emitted_by, event.payload.to);`), may: [] },
    ]);
    await project.send({}, { host: "eva" });
    expect((await project.journal()).at(-1)).toMatchObject({
      ...{ event: "custom.shipped", host: "eva", handler: "@acme/rules#hear", by: "@acme/rules#ship" },
      stderr: "@acme/rules#ship staging",
    });
  });

  test("every one of its notices can be subscribed to, and custom ones", () => {
    const names =
      "turn.completed turn.failed cron.fired message.silent chat.created memory.saved module.attached spend.day custom.deploy";
    for (const event of names.split(" "))
      expect(problemsOf({ [event]: [{ hooks: [{ id: "x", type: "command", command: "true" }] }] })).toEqual([]);
  });
});

describe("Peri", () => {
  test("once, then matcher, then if, then run", async () => {
    const start = { event: "SessionStart", script: say({}), may: ["context"] };
    using project = await guardedBy([
      { ...start, id: "first", once: true },
      { ...start, id: "resumed", matcher: "resume" },
      { id: "call", matcher: "Bash", if: "Bash(git push*)", script: "exit 2", ...CANCEL },
    ]);
    const session = async () =>
      outcomes((await project.send({ hook_event_name: "SessionStart", source: "startup" })).handlers);
    expect(await session()).toEqual(["first answered continue"]);
    expect(await session()).toEqual(["first  "]);
    expect((await project.send({ tool_input: { command: "git status" } })).decision).toBe("continue");
    expect((await project.send({ tool_input: { command: "git push" } })).decision).toBe("cancel");
    expect((await project.send({ tool_name: "Read", tool_input: { file_path: "/x" } })).handlers).toEqual([]);
  });

  test("Allow goes on, ModifyInput accumulates, Block ends the chain", async () => {
    const append = (text: string) =>
      `jq -c '{hookSpecificOutput:{hookEventName:"PreToolUse",permissionDecision:"allow",updatedInput:{command:(.tool_input.command+"${text}")}}}'`;
    const patcher = { may: ["patch"] };
    const two = [
      { id: "a", script: append("a"), ...patcher },
      { id: "b", script: append("b"), ...patcher },
    ];
    using project = await guardedBy([...two, { id: "c", script: "true", ...CANCEL }]);
    expect(await project.send({ tool_input: { command: "x" } })).toMatchObject({
      decision: "continue",
      patch: { tool_input: { command: "xab" } },
    });
    using blocked = await guardedBy([{ id: "first", script: "exit 2", ...CANCEL }, ...two]);
    expect(outcomes((await blocked.send()).handlers)).toEqual([
      "first answered cancel",
      "a not-reached ",
      "b not-reached ",
    ]);
  });

  test("exit 0 is read, exit 1 passes with a warning, exit 2 blocks", async () => {
    for (const [script, verdict, warns] of [
      [say({ decision: "block", reason: "r" }), "cancel", false],
      ["exit 1", "continue", true],
      ["exit 2", "cancel", false],
    ] as const) {
      using project = await guardedBy([{ script, may: ["cancel"] }]);
      const { decision, person } = await project.send();
      expect([decision, person.join().includes("failed (E_ANSWER_EXIT): the action passed it")]).toEqual([
        verdict,
        warns,
      ]);
    }
  });

  test("late or crashed it passes: no hook is anybody's single point of failure, unless it says so", async () => {
    for (const script of ["sleep 30", "kill -SEGV $$"]) {
      using project = await guardedBy([{ script, timeout: 0.3, may: ["cancel"] }]);
      expect((await project.send()).decision).toBe("continue");
    }
  });

  test("Stop: a block goes on with feedback, continue:false stops for good, more than eight blocks are released", async () => {
    using project = await guardedBy([
      { event: "Stop", script: say({ decision: "block", reason: "tests" }), may: ["cancel"] },
    ]);
    const said: string[] = [];
    for (let n = 0; n < 9; n++) {
      const { decision, forced } = await project.send({ hook_event_name: "Stop" });
      said.push(forced ? `${decision} forced` : decision);
    }
    expect(said).toEqual([...Array.from({ length: 8 }, () => "cancel"), "continue forced"]);
    using ended = await guardedBy([
      { event: "Stop", script: say({ continue: false, stopReason: "enough" }), may: ["cancel"] },
    ]);
    expect(await ended.send({ hook_event_name: "Stop" })).toMatchObject({
      decision: "end",
      reason: "@acme/rules#guard: enough",
    });
  });

  test("sources run in their order, packages last", async () => {
    using project = await guarded({ "@acme/rules": { handlers: [{ script: "true", ...CANCEL }] } });
    for (const folder of ["hooks", "hooks.local"]) {
      const handler = { id: "mine", type: "command", command: "true", ...CANCEL };
      project.write(`.hookpkg/${folder}/hooks.json`, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }));
    }
    await project.consent();
    expect((await project.send()).handlers.map(({ handler }) => handler)).toEqual([
      "layer:project#mine",
      "layer:local#mine",
      "@acme/rules#guard",
    ]);
  });

  test("PreToolUse comes before the host asks a person: what it cancels is never asked, what it allows lifts no deny", async () => {
    using project = await guardedBy([
      { id: "yes", script: say(output("PreToolUse", { permissionDecision: "allow" })), may: ["cancel", "allow"] },
      { id: "no", script: "exit 2", ...CANCEL },
      {
        id: "asked",
        event: "PermissionRequest",
        script: say(output("PermissionRequest", { decision: { behavior: "allow" } })),
        may: ["allow"],
      },
    ]);
    expect((await project.send()).decision).toBe("cancel");
    expect(outcomes((await project.send({ hook_event_name: "PermissionRequest" })).handlers)).toEqual([
      "asked answered allow",
    ]);
  });

  test("two hook sources in one package are an error, and a broken one is no reason to take the other", () => {
    const hooks = { PreToolUse: [{ hooks: [{ id: "x", type: "command", command: "true" }] }] };
    expect(problemsOf(hooks, { hooks }).some((found) => found.startsWith("E_FIELD_UNKNOWN hookpkg.json: hooks"))).toBe(
      true,
    );
    expect(
      problemsOf("not json", { hooks }).some((found) => found.startsWith("E_FILE_UNREADABLE hooks/hooks.json")),
    ).toBe(true);
  });
});

describe("AstraCode", () => {
  const strict = (event: string, script: string, more: HandlerText = {}) =>
    guardedBy([{ event, script, answers: "strict", failMode: "closed", may: ["cancel"], ...more }]);
  const block = { decision: "block", reason: "r" };

  /** Plain text, JSON and exit 2 with and without words: what each event makes of it. `failed` does not stop anything by itself. */
  test.each<[string, string, object, string, string, string]>([
    ["SessionStart", "context", output("SessionStart", { additionalContext: "c" }), "context", "failed", "failed"],
    ["UserPromptSubmit", "context", block, "cancel", "cancel", "failed"],
    [
      "PreToolUse",
      "continue",
      output("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "r" }),
      "cancel",
      "cancel",
      "failed",
    ],
    [
      "PermissionRequest",
      "continue",
      output("PermissionRequest", { decision: { behavior: "deny", message: "r" } }),
      "cancel",
      "cancel",
      "failed",
    ],
    ["PostToolUse", "continue", block, "cancel", "cancel", "failed"],
    ["Stop", "failed", block, "cancel", "cancel", "failed"],
  ])("%s under strict: plain text, JSON, exit 2", async (event, plain, json, jsonAnswer, exitTwo, silentTwo) => {
    const payload = { hook_event_name: event as "Stop", source: "startup", prompt: "p", tool_response: "x" };
    const may =
      EVENT_NAMES.includes(event as "Stop") && ["SessionStart", "UserPromptSubmit", "PostToolUse"].includes(event);
    const answered = async (script: string) => {
      using project = await strict(event, script, { failMode: "open", may: may ? ["cancel", "context"] : ["cancel"] });
      const [report] = (await project.send(payload)).handlers;
      return report?.answer ?? report?.outcome;
    };
    expect<string | undefined>(await answered("echo words")).toBe(plain);
    expect<string | undefined>(await answered(say(json))).toBe(jsonAnswer);
    expect<string | undefined>(await answered("echo r >&2; exit 2")).toBe(exitTwo);
    expect<string | undefined>(await answered("exit 2")).toBe(silentTwo);
  });

  test("what PreToolUse does not support fails without blocking: allow, ask, updatedInput, context, continue:false", async () => {
    const unsupported = [
      output("PreToolUse", { permissionDecision: "allow" }),
      output("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "r" }),
      output("PreToolUse", { updatedInput: { command: "x" } }),
      output("PreToolUse", { additionalContext: "c" }),
      { continue: false, stopReason: "r" },
    ];
    for (const answer of unsupported) {
      using project = await strict("PreToolUse", say(answer), {
        failMode: "open",
        may: ["cancel", "ask", "allow", "patch", "context"],
      });
      const { decision, handlers } = await project.send();
      expect([decision, outcomes(handlers)]).toEqual(["continue", ["guard failed E_ANSWER_STRICT"]]);
    }
  });

  test.each([
    [undefined, "Bash", true],
    ["", "Bash", true],
    ["*", "Bash", true],
    ["Edit|Write", "Write", true],
    ["Edit|Write", "Bash", false],
    ["^mcp__.*__write", "mcp__files__write_all", true],
    ["Writ", "Write", false],
  ])("matcher %p on %s: %p", async (matcher, tool, runs) => {
    if (matcher === "Writ") {
      const hooks = { PreToolUse: [{ matcher, hooks: [{ id: "x", type: "command", command: "true" }] }] };
      expect(problemsOf(hooks).join()).toContain("E_MATCHER_TOOL");
      return;
    }
    using project = await guardedBy([{ ...(matcher === undefined ? {} : { matcher }), script: "exit 2", ...CANCEL }]);
    const input = { Bash: { command: "ls" }, Write: { file_path: "/x", content: "" } }[tool] ?? {};
    expect((await project.send({ tool_name: tool, tool_input: input })).handlers).toHaveLength(runs ? 1 : 0);
  });

  test("Stop and UserPromptSubmit ignore a matcher", async () => {
    for (const event of ["Stop", "UserPromptSubmit"] as const) {
      using project = await guardedBy([{ event, matcher: "nothing-like-it", script: "exit 2", ...CANCEL }]);
      expect((await project.send({ hook_event_name: event, prompt: "x" })).decision).toBe("cancel");
    }
  });

  test("aliases match, stdin has the canonical name, and it runs once", async () => {
    using project = await guardedBy([
      { matcher: "Write|write_file", script: "jq -r .tool_name >&2; exit 2", ...CANCEL },
    ]);
    const { reason, handlers } = await project.send({
      tool_name: "Write",
      tool_input: { file_path: "/x", content: "" },
    });
    expect([reason, handlers.length]).toEqual(["@acme/rules#guard: Write", 1]);
  });

  test("PermissionRequest: any deny beats all allows, and without a decision the host goes its way", async () => {
    const said = (behavior: string) =>
      say(output("PermissionRequest", { decision: { behavior, ...(behavior === "deny" ? { message: "r" } : {}) } }));
    const handler = (id: string, script: string) => ({
      id,
      event: "PermissionRequest",
      script,
      may: ["allow", "cancel"],
      answers: "strict",
    });
    const verdict = async (...handlers: HandlerText[]) => {
      using project = await guardedBy(handlers);
      return (await project.send({ hook_event_name: "PermissionRequest" })).decision;
    };
    expect(await verdict(handler("a", said("allow")), handler("b", said("deny")), handler("c", said("allow")))).toBe(
      "cancel",
    );
    expect(await verdict(handler("a", said("allow")))).toBe("allow");
    expect(await verdict(handler("a", "true"))).toBe("continue");
  });

  test("PostToolUse: a block replaces the result with its feedback, and undoes nothing", async () => {
    using project = await strict("PostToolUse", say({ decision: "block", reason: "lint it" }), {
      may: ["cancel", "context"],
    });
    const decision = await project.send({ hook_event_name: "PostToolUse", tool_response: "raw" });
    const codex = hostNamed("codex");
    const event = { host: "codex", hostEventName: "PostToolUse", event: "PostToolUse" } as never; // as an adapter is told it
    const said = JSON.parse(codex?.write(event, decision).stdout ?? "");
    expect(said.decision).toBe("block");
    expect(said.reason).toContain("lint it");
    expect(said.reason).toContain("nothing was undone");
  });

  test("Stop: the reason is the next prompt, stop_hook_active is told next time, continue:false wins", async () => {
    using project = await strict("Stop", `jq -c '{decision:"block",reason:"again: \\(.stop_hook_active)"}'`);
    const first = await project.send({ hook_event_name: "Stop", stop_hook_active: false });
    const event = { host: "codex", hostEventName: "Stop", event: "Stop" } as never; // as an adapter is told it
    expect(JSON.parse(hostNamed("codex")?.write(event, first).stdout ?? "")).toMatchObject({
      decision: "block",
      reason: "@acme/rules#guard: again: false",
    });
    expect((await project.send({ hook_event_name: "Stop", stop_hook_active: true })).reason).toContain("again: true");
    using both = await strict(
      "Stop",
      say({ decision: "block", reason: "go on", continue: false, stopReason: "enough" }),
    );
    expect(await both.send({ hook_event_name: "Stop" })).toMatchObject({
      decision: "end",
      reason: "@acme/rules#guard: enough",
    });
  });

  test("hooks.json comes before hooks.toml of one layer, with a warning", async () => {
    using project = new GuardedProject();
    const handler = { id: "json", type: "command", command: "true", ...CANCEL };
    project.write(".hookpkg/hooks/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }));
    const toml =
      '[[hooks.PreToolUse]]\nmatcher = "Bash"\nhooks = [\n  { id = "toml", type = "command", command = "true", may = ["cancel"], timeout = 5, statusMessage = "Looking" },\n]\n';
    project.write(".hookpkg/hooks/hooks.toml", toml);
    await project.consent();
    expect((await project.send()).handlers.map(({ handler: name }) => name)).toEqual([
      "layer:project#json",
      "layer:project#toml",
    ]);
    expect((await project.view()).problems.map(({ code }) => code)).toEqual(["W_TWO_SOURCES"]);
  });

  test("PLUGIN_ROOT, PLUGIN_DATA and their CLAUDE_ twins are variables and placeholders", async () => {
    const names = ["PLUGIN_ROOT", "PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"];
    const asVariables = names.map((name) => `$(printenv ${name})`).join(" ");
    const asText = names.map((name) => `\${${name}}`).join(" ");
    const script = `test -f "$PLUGIN_ROOT/data.txt" && test -d "$PLUGIN_DATA" && test "${asVariables}" = "${asText}" && exit 2`;
    using project = await guardedBy([{ script, ...CANCEL }], { "data.txt": "x" });
    expect(outcomes((await project.send()).handlers)).toEqual(["guard answered cancel"]);
  });

  test("each event has a generated schema of its input and of its answer", () => {
    const schemas = join(import.meta.dir, "../packages/spec/schemas");
    for (const name of EVENT_NAMES) expect(existsSync(join(schemas, `${name}.generated.json`))).toBe(true);
  });

  test("an invalid matcher, an empty group and a kind that is not supported are named before anything runs", () => {
    const hook = { id: "x", type: "command", command: "true" };
    expect(problemsOf({ PreToolUse: [{ matcher: "[unclosed", hooks: [hook] }] }).join()).toContain("E_MATCHER_REGEX");
    expect(problemsOf({ PreToolUse: [{ hooks: [] }] }).join()).toContain(
      "E_FIELD_VALUE hooks/hooks.json: hooks.PreToolUse[0].hooks",
    );
    expect(problemsOf({ PreToolUse: [{ hooks: [{ ...hook, command: "" }] }] }).join()).toContain("E_FIELD_VALUE");
    expect(problemsOf({ PreToolUse: [{ hooks: [{ id: "x", type: "wish" }] }] }).length).toBeGreaterThan(0);
  });

  test("what is invalid is never half taken: the package is refused whole", async () => {
    const broken = guardedBy([
      { id: "good", script: "exit 2", ...CANCEL },
      { id: "bad", matcher: "[unclosed", script: "exit 2", ...CANCEL },
    ]);
    const error = await broken.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(isFault(error, "E_PACKAGE_INVALID")).toBe(true);
  });
});
