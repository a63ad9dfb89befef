import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePackage } from "@hookpkg/spec";
import { homeFolders } from "../home.ts";
import { event, trial } from "../run/test-run.ts";
import { testFolder } from "../test-folder.ts";
import { personModel } from "./person-model.ts";
import { modelSettings } from "./settings.ts";
import { modelServer, type Speech } from "./test-server.ts";

const server = modelServer();
afterAll(() => server.stop());
const page = readFileSync(join(import.meta.dir, "README.md"), "utf8");
const blocks = new Map(
  [...page.matchAll(/^```json (\S+)\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [path, text]),
);
const bytes = (text: string) => new TextEncoder().encode(text);
const { handlers } = parsePackage(
  new Map([
    ["hookpkg.json", bytes(JSON.stringify({ name: "@acme/commits", version: "1.0.0", description: "d" }))],
    ["hooks/hooks.json", bytes(blocks.get("hooks/hooks.json") ?? "")],
  ]),
);

/** The page's config with the test's server in the place of the real one. */
function home() {
  const made = homeFolders(testFolder());
  const config = (blocks.get("config.json") ?? "")
    .replace("https://api.anthropic.com/v1", server.url)
    .replace("~/.config/hookpkg/", "~/config/");
  mkdirSync(join(made.config, "keys"), { recursive: true, mode: 0o700 });
  writeFileSync(join(made.config, "config.json"), config, { mode: 0o600 });
  writeFileSync(join(made.config, "keys/model.key"), "k-3y\n", { mode: 0o600 });
  return made;
}

test("the config of the page is one", () => {
  expect(modelSettings(home())).toMatchObject({ provider: "anthropic", key: "k-3y" });
});

test("the handlers of the page do what it says, with that config", async () => {
  const cancel = { answer: "cancel", reason: "no" };
  const fields = { tool_input: { command: "npm ci" } };
  const told: Record<string, [Speech, object, string | undefined]> = {
    scope: [{ text: '{"ok": false, "reason": "no"}' }, cancel, "claude-haiku-4-5"],
    quiet: [{ calls: [{ tool: "hook_patch", input: fields }] }, { answer: "patch", fields }, "claude-sonnet-4-5"],
    explain: [{ text: "nobody asks" }, { answer: "continue" }, undefined],
  };
  expect(handlers.map(({ id }) => id)).toEqual(Object.keys(told));
  for (const handler of handlers) {
    const [speech, answer, model] = told[handler.id] ?? [{}, {}];
    server.got.length = 0;
    server.says(speech);
    const deps = { model: personModel(home()), trigger: async () => {} };
    const call = { payload: { ...event, hook_event_name: handler.event } };
    expect(await trial(handler.run, { handler, call, deps })).toMatchObject({ outcome: "answered", answer });
    expect(server.got[0]?.model).toBe(model as string); // undefined: nobody was asked
  }
});
