import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { approveAll, must } from "../trust/test-project.ts";
import { hookpkg, hookpkgJson, temporaryFolder } from "./test-program.ts";

setDefaultTimeout(120_000);

let asked = 0;
/** Says that everything is well but `rm -rf`, in OpenAI's wire. */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    asked++;
    const isBad = (await request.text()).includes("rm -rf");
    const content = JSON.stringify(isBad ? { ok: false, reason: "the model says no" } : { ok: true });
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    return Response.json({ id: "c", object: "chat.completion", created: 1, model: "m", choices });
  },
});
afterAll(() => server.stop(true));

const CONFIG = "home/config/config.json";

function configure(base: string, keyMode = 0o600): string {
  const key = join(base, "home/config/model.key");
  mkdirSync(join(base, "home/config"), { recursive: true, mode: 0o700 });
  writeFileSync(key, "k-3y\n");
  chmodSync(key, keyMode);
  const url = `http://127.0.0.1:${server.port}/v1`;
  const model = { provider: "openai-compatible", url, keyFile: "~/config/model.key", small: "s", large: "l" };
  writeFileSync(join(base, CONFIG), JSON.stringify({ v: 1, model }), { mode: 0o600 });
  return key;
}

async function writePrompt(base: string): Promise<void> {
  await hookpkg(base, "new", "judge", "--name", "@acme/judge");
  rmSync(join(base, "judge/test/cases"), { recursive: true });
  const put = (path: string, value: object) => Bun.write(join(base, "judge", path), JSON.stringify(value));
  await put("hookpkg.json", { name: "@acme/judge", version: "1.0.0", description: "d" });
  const prompt = { id: "judge", type: "prompt", prompt: "Is this well?", failMode: "closed", may: ["cancel"] };
  await put("hooks/hooks.json", { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [prompt] }] } });
  const one = (command: string, want: object) => ({
    ...{ name: command, event: "PreToolUse", input: { tool_name: "Bash", tool_input: { command } }, want },
  });
  await put("test/cases/all.json", [
    one("rm -rf /", { answer: "cancel", reasonIncludes: "model says no" }),
    one("ls", { answer: "continue" }),
  ] as object);
}

/** Another handler of the same package, which has the right and no way to use it. */
async function addTeller(base: string): Promise<void> {
  const file = (path: string) => Bun.file(join(base, "judge", path));
  const [manifest, { hooks }] = await Promise.all([file("hookpkg.json").json(), file("hooks/hooks.json").json()]);
  await file("hookpkg.json").write(JSON.stringify({ ...manifest, capabilities: { model: true } }));
  const tell = { PostToolUse: [{ hooks: [{ id: "tell", type: "command", command: "true" }] }] };
  await file("hooks/hooks.json").write(JSON.stringify({ hooks: { ...hooks, ...tell } }));
}

/** Nobody listens there any more. */
async function deadPort(): Promise<number | undefined> {
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = gone;
  await gone.stop(true);
  return port;
}

async function modelCheck(
  base: string,
  ...more: string[]
): Promise<{ ok: boolean; found: string; mend?: string } | undefined> {
  const { result } = await hookpkgJson(base, "doctor", ...more);
  const { checks } = (result as { data: { checks: { name: string; ok: boolean; found: string; mend?: string }[] } })
    .data; // doctor's own words
  return checks.find(({ name }) => name === "model");
}

test("an author's cases ask their own model; validate warns of a guard that is only a model's word", async () => {
  using base = temporaryFolder();
  await writePrompt(base.path);
  expect(JSON.stringify((await hookpkgJson(base.path, "validate", "judge")).result)).toContain("W_GUARD_MODEL");
  const without = await hookpkgJson(base.path, "test", "judge");
  expect(JSON.stringify(without.result)).toContain("E_MODEL_NONE");
  configure(base.path);
  const { code, result } = await hookpkgJson(base.path, "test", "judge");
  expect([code, result]).toMatchObject([0, { data: { passed: 2, failed: 0 } }]);
});

test("doctor says when a handler asks a model and there is none, or its key cannot be used, and what mends it", async () => {
  using base = temporaryFolder();
  asked = 0;
  expect(await modelCheck(base.path)).toMatchObject({ ok: true });
  await writePrompt(base.path);
  await addTeller(base.path);
  await must(hookpkg(base.path, "install", "./judge"), 3);
  await approveAll(base.path);
  expect(await modelCheck(base.path)).toMatchObject({
    ok: false,
    found: expect.stringMatching(/@acme\/judge#judge|file:\.\/judge#judge/),
    mend: expect.stringContaining("config.json"),
  });
  const key = configure(base.path, 0o644);
  expect(await modelCheck(base.path)).toMatchObject({
    ok: false,
    found: expect.stringContaining("E_MODEL_KEY"),
    mend: `chmod 600 ${key}`,
  });
  chmodSync(key, 0o600);
  const well = await modelCheck(base.path);
  expect(well?.ok).toBe(true);
  expect(well?.found).toContain(`#judge (${base.path})`);
  expect(well?.found).not.toContain("#tell");
  expect(asked).toBe(0);
  const config = await Bun.file(join(base.path, CONFIG)).text();
  writeFileSync(join(base.path, CONFIG), config.replace(`:${server.port}`, `:${await deadPort()}`));
  expect(await modelCheck(base.path)).toMatchObject({
    ok: false,
    found: expect.stringContaining("E_MODEL_UNREACHABLE"),
    mend: expect.stringContaining("config.json"),
  });
  expect(await modelCheck(base.path, "--offline")).toMatchObject({ ok: true });
  const insecure = config.replace("127.0.0.1", "models.example.com");
  writeFileSync(join(base.path, CONFIG), insecure);
  expect(await modelCheck(base.path)).toMatchObject({ ok: false, found: expect.stringContaining("E_MODEL_URL") });
});
