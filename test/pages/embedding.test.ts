import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage, ROOT } from "../quickstart/stage.ts";
import { blocksOf } from "./blocks.ts";

setDefaultTimeout(240_000);

/** An agent's vendor: a fresh project whose handlers are installed and approved by the command, and the page's agent that embeds the runtime. */
const stage = openStage();
afterAll(() => stage.close());
const PAGE = join(ROOT, "runtime/embed/README.md");

const HANDLERS = {
  PreToolUse: [
    handler(
      "no-rm",
      { may: ["cancel"] },
      `event.tool_input.command.includes("rm -rf") ? { answer: "cancel", reason: "no removals" } : undefined`,
    ),
    handler(
      "dry",
      { may: ["patch"] },
      `event.tool_input.command === "make" ? { answer: "patch", fields: { tool_input: { command: "make -n" } } } : undefined`,
    ),
    handler(
      "sure",
      { may: ["ask", "cancel"] },
      `event.tool_input.command === "deploy" ? { answer: "ask", reason: "really?" } : undefined`,
    ),
  ],
  SessionStart: [handler("rules", { may: ["context"] }, `{ answer: "context", context: "four spaces" }`)],
  PostToolUse: [
    handler(
      "hide",
      { may: ["cancel"] },
      `event.tool_response.includes("secret") ? { answer: "cancel", reason: "hidden" } : undefined`,
    ),
  ],
  Stop: [
    handler(
      "go-on",
      { may: ["cancel"] },
      `event.last_assistant_message === "done" ? { answer: "cancel", reason: "tests first" } : undefined`,
    ),
  ],
  "turn.completed": [{ id: "sum-up", type: "prompt", prompt: "sum it up" }],
};

function handler(id: string, more: object, says: string) {
  const path = `${id}.ts`;
  mkdirSync(join(stage.project, "guard"), { recursive: true });
  writeFileSync(join(stage.project, "guard", path), `export default (event) => (${says});\n`);
  return { id, type: "module", module: `./${path}`, ...more };
}

async function ran(...words: string[]): Promise<string> {
  const { exit, stdout, stderr } = await stage.hookpkg(words, { quiet: true });
  if (exit !== 0 && exit !== 3) throw new Error(`${words.join(" ")}: ${exit} ${stdout}${stderr}`);
  return stdout;
}

beforeAll(async () => {
  const at = (path: string) => join(stage.project, path);
  mkdirSync(at("guard/hooks"), { recursive: true });
  writeFileSync(
    at("guard/hookpkg.json"),
    JSON.stringify({ name: "@acme/all", version: "1.0.0", description: "one of each" }),
  );
  const hooks = Object.entries(HANDLERS).map(([event, each]) => [event, [{ hooks: each }]]);
  writeFileSync(at("guard/hooks/hooks.json"), JSON.stringify({ hooks: Object.fromEntries(hooks) }));
  await ran("init");
  await ran("install", "./guard");
  await ran("keygen", "--automation", at("ci.key"), "--no-passphrase");
  const listed: { data: { waiting: { identity: string }[] } } = JSON.parse(await ran("approve", "--list", "--json"));
  const identities = listed.data.waiting.flatMap(({ identity }) => ["--identity", identity]);
  await ran("approve", ...identities, "--key", at("ci.key"));
  // As the page says how it is found; the home is the test's own.
  mkdirSync(at("node_modules/@hookpkg"), { recursive: true });
  symlinkSync(join(ROOT, "runtime"), at("node_modules/@hookpkg/runtime"));
  const [example] = blocksOf(PAGE);
  const text = example?.text.replace("openChain({", `openChain({\n  home: ${JSON.stringify(stage.home)},`) ?? "";
  writeFileSync(at(example?.path ?? ""), text);
});

async function agent(...words: string[]): Promise<{ exit: number; out: string[]; err: string }> {
  const command = [process.execPath, "--config=/dev/null", "--no-env-file", "agent.ts", ...words];
  const child = Bun.spawn(command, { cwd: stage.project, env: {}, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [exit, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { exit, out: out.trimEnd().split("\n"), err };
}

test("the page's agent obeys: cancel, patch, question, result, stop; what handlers say comes as a user's message", async () => {
  const { exit, out, err } = await agent("ls", "rm -rf x", "make", "deploy", "cat secret");
  expect(err.split("\n")).toContain("PreToolUse: file:./guard#no-rm → cancel");
  expect({ exit, out }).toEqual({
    exit: 0,
    out: [
      "$ ls",
      "not done: file:./guard#no-rm: no removals",
      "$ make -n",
      "not done: file:./guard#sure: really?",
      "A person was asked and said no.",
      "file:./guard#hide: hidden",
      "over: false",
      'system "You are an agent."',
      expect.stringMatching(/^user ".*four spaces/),
      'user "file:./guard#go-on: tests first"',
      expect.stringMatching(/^user ".*sum it up/),
    ],
  });
  expect((await agent("deploy", "--yes")).out[0]).toBe("$ deploy");
});

test("the page's table of options is that of the code", () => {
  const declared = readFileSync(join(ROOT, "runtime/embed/options.ts"), "utf8");
  const type = declared.slice(declared.indexOf("type ChainOptions"), declared.indexOf("\n};"));
  const names = [...type.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
  const page = readFileSync(PAGE, "utf8");
  expect(names.length).toBeGreaterThan(9);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
