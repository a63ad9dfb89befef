import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookpkg, hookpkgJson, temporaryFolder } from "../author/test-program.ts";
import { approveAll, must, withStdin } from "../trust/test-project.ts";

setDefaultTimeout(120_000);

/** A server that speaks the wire of an OpenAI-compatible model. */
function model(text: string) {
  const asked: string[] = [];
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    async fetch(request) {
      asked.push(await request.text());
      const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" };
      return Response.json({ id: "1", object: "chat.completion", created: 1, model: "little", choices: [choice] });
    },
  });
  return { asked, url: `http://127.0.0.1:${server.port}/v1`, [Symbol.dispose]: () => void server.stop(true) };
}

function write(base: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(base, path, ".."), { recursive: true });
    writeFileSync(join(base, path), JSON.stringify(value), { mode: 0o600 });
  }
}

test("a host's notice asks the person's model through the daemon, and the host's next prompt is told what it said, once", async () => {
  using base = temporaryFolder();
  using server = model("The person is waiting for you.");
  const waits = { id: "waits", type: "prompt", prompt: "Is somebody waiting? $ARGUMENTS", timeout: 100 };
  write(base.path, {
    "guard/hookpkg.json": { name: "@acme/guard", version: "1.0.0", description: "Asks", license: "MIT" },
    "guard/hooks/hooks.json": { hooks: { Notification: [{ hooks: [waits] }] } },
  });
  await must(hookpkg(base.path, "init"));
  await must(hookpkg(base.path, "install", "./guard"), 3);
  await approveAll(base.path);
  const settings = { provider: "openai-compatible", url: server.url, small: "little", large: "big" };
  write(base.path, { "home/config/config.json": { v: 1, options: {}, model: settings } });
  const send = async (event: object) => {
    const common = { session_id: "s", transcript_path: null, cwd: base.path };
    const said = await withStdin(base.path, ["run", "claude-code"], { stdin: JSON.stringify({ ...common, ...event }) });
    expect(said.code).toBe(0);
    return said.out === "" ? {} : JSON.parse(said.out);
  };
  const lines = async () => {
    const { result } = await hookpkgJson(base.path, "log");
    return result.ok && "lines" in result.data ? (result.data.lines as { outcome: string; why?: string }[]) : []; // its type
  };
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: "go on" };
  try {
    for (;;) {
      await send({ hook_event_name: "SessionStart", source: "startup" });
      const { result } = await hookpkgJson(base.path, "daemon", "status");
      if (result.ok && "running" in result.data && result.data.running) break;
    }
    const told = await send({ hook_event_name: "Notification", message: "waiting", notification_type: "idle_prompt" });
    expect(told.hookSpecificOutput).toBeUndefined();
    while (!(await lines()).some(({ outcome }) => outcome !== "not-run"));
    expect((await lines()).at(-1)).toMatchObject({ outcome: "answered", why: "its turn was begun" });
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0]).toMatch(/Is somebody waiting\?[\s\S]*idle_prompt/);
    const { hookSpecificOutput } = await send(prompt);
    expect(hookSpecificOutput).toMatchObject({
      ...{ hookEventName: "UserPromptSubmit" },
      additionalContext: "hook file:./guard#waits:\n```\nThe person is waiting for you.\n```",
    });
    expect((await send(prompt)).hookSpecificOutput).toBeUndefined();
    const { out } = await must(hookpkg(base.path, "explain"));
    expect(out.replace(/\s+/g, " ")).toContain("answered: context, 0 ms reacts to Notification");
    expect(out).toContain("said: what its turn said of Notification at ");
  } finally {
    await hookpkg(base.path, "daemon", "stop");
  }
});
