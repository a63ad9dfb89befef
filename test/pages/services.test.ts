import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStage, ROOT } from "../quickstart/stage.ts";
import { writeBlocks } from "./blocks.ts";

setDefaultTimeout(120_000);
const stage = openStage();
afterAll(() => stage.close());
const PAGE = join(ROOT, "runtime/run/README.md");
const page = readFileSync(PAGE, "utf8");
const between = (mark: string) => page.split(`<!-- ${mark} -->`)[1]?.split("<!-- end -->")[0] ?? "";
const firstCells = (table: string) =>
  table.split("\n").flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));

test("the page's service is a package without a fault, and passes its own cases", async () => {
  writeBlocks(PAGE, join(stage.project, "no-force"));
  expect(await stage.hookpkg(["validate", "no-force"], { quiet: true })).toMatchObject({ exit: 0, stdout: "" });
  const { exit, stdout } = await stage.hookpkg(["test", "no-force", "--verbose"], { quiet: true });
  expect(stdout).toContain("pass  a force push: cancel");
  expect(stdout).toContain("stderr: refused 1 times so far");
  expect(exit, stdout).toBe(0);
});

/** Says what it was asked, and asks for everything that the page names. */
const PROBE = `import json, sys
def say(frame):
    print(json.dumps(frame), flush=True)
say({"ready": 1})
for line in sys.stdin:
    call, replies = json.loads(line), []
    for n, (rpc, args) in enumerate(json.loads(sys.argv[1])):
        say({"id": call["id"], "rpc": rpc, "n": n + 1, "args": args})
        reply = json.loads(sys.stdin.readline())
        replies.append([rpc, reply.get("ok") if "ok" in reply else reply["error"]["code"]])
    said = {"call": sorted(call), "replies": replies}
    say({"id": call["id"], "answer": {"answer": "cancel", "reason": json.dumps(said)}})
`;
const ASKED: [rpc: string, args: unknown, reply: unknown][] = [
  ["log", "here", null],
  ["storage", ["get", "k"], []],
  ["storage", ["set", "k", { n: 1 }], null],
  ["storage", ["get", "k"], [{ n: 1 }]],
  ["storage", ["list", "k"], ["k"]],
  ["storage", ["delete", "k"], true],
  ["emit", ["custom.name", { n: 1 }], null],
  ["fetch", ["https://x.example/"], "E_CAPABILITY"],
  ["complete", ["hi"], "E_CAPABILITY"],
];

test("the page's frames are those of a real call", async () => {
  const probe = (path: string, text: string) => {
    mkdirSync(dirname(join(stage.project, "probe", path)), { recursive: true });
    writeFileSync(join(stage.project, "probe", path), text);
  };
  const argv = ["python3", "${PLUGIN_ROOT}/probe.py", JSON.stringify(ASKED.map(([rpc, args]) => [rpc, args]))];
  const hooks = [{ id: "probe", type: "service", argv, failMode: "closed", may: ["cancel"] }];
  probe("hookpkg.json", JSON.stringify({ name: "@acme/probe", version: "1.0.0", description: "d" }));
  probe("hooks/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } }));
  probe("probe.py", PROBE);
  const input = { tool_name: "Bash", tool_input: { command: "ls" } };
  probe("test/cases/a.json", JSON.stringify({ name: "a", event: "PreToolUse", input, want: { answer: "cancel" } }));
  const { stdout } = await stage.hookpkg(["test", "probe", "--json"], { quiet: true });
  const said: { data: { cases: { reason: string }[] } } = JSON.parse(stdout);
  const { call, replies } = JSON.parse(said.data.cases[0]?.reason ?? "{}");
  expect(firstCells(between("call")).sort()).toEqual(call);
  expect(replies).toEqual(ASKED.map(([rpc, , reply]) => [rpc, reply]));
  expect([...new Set(firstCells(between("rpc")))].slice(1).sort()).toEqual(
    [...new Set(ASKED.map(([rpc]) => rpc))].sort(),
  );
});

test("the page's codes are codes", async () => {
  for (const code of new Set(page.match(/\bE_[A-Z_]+\b/g)))
    expect(await stage.hookpkg(["explain", code], { quiet: true })).toMatchObject({ exit: 0 });
});
