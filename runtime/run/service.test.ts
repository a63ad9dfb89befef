import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Outcome } from "@hookpkg/spec";
import { event, folder, type Trial, trial } from "./test-run.ts";
import { Workers } from "./workers.ts";

const open: Workers[] = [];
afterEach(async () => {
  for (const workers of open.splice(0)) await workers.close();
});

function pool(): Workers {
  const workers = new Workers();
  open.push(workers);
  return workers;
}

/** Counts its calls in a variable and on the disk, and does what the command says. */
const PYTHON = `import json, os, sys, time
calls = 0
def say(frame):
    sys.stdout.write(json.dumps(frame) + "\\n"); sys.stdout.flush()
say({"ready": 1})
for line in sys.stdin:
    call = json.loads(line)
    calls += 1
    command = call["payload"]["tool_input"].get("command", "")
    if command == "exit": sys.exit(3)
    if command == "spin":
        while True: pass
    if command == "garbage": print("garbage", flush=True)
    if command == "flood": sys.stderr.write("x" * 1000000)
    with open(os.environ["PLUGIN_DATA"] + "/calls", "a") as kept: kept.write("x")
    total = len(open("/data/calls").read())
    if command == "log":
        say({"id": call["id"], "rpc": "log", "n": 1, "args": "said"})
        json.loads(sys.stdin.readline())
    if command == "fetch":
        say({"id": call["id"], "rpc": "fetch", "n": 1, "args": ["http://x"]})
        command = json.loads(sys.stdin.readline())["error"]["code"]
    token = call["env"].get("TOKEN", "none")
    said = " ".join([str(calls), str(total), command, token, "TOKEN" in os.environ and "leaked" or "clean", str(call["options"]), call["handler"]])
    say({"id": call["id"], "answer": {"answer": "context", "context": said}})
`;
const python = (workers: Workers | undefined, command: string, more: Trial = {}) =>
  trial(
    { type: "service", argv: ["python3", "-I", "${PLUGIN_ROOT}/guard.py"] },
    {
      ...(workers === undefined ? {} : { workers }),
      files: { "guard.py": PYTHON },
      ...more,
      call: { dataFolder, payload: { ...event, tool_input: { command } }, ...more.call },
    },
  );
let dataFolder = join(folder(), "data");
const said = (outcome: Outcome) =>
  outcome.outcome === "answered" && "context" in outcome.answer ? outcome.answer.context : JSON.stringify(outcome);

describe("a service in Python", () => {
  test("stays between calls, keeps data, and is told everything with the call", async () => {
    dataFolder = join(folder(), "data");
    const workers = pool();
    const more: Trial = { capabilities: { env: ["TOKEN"] }, call: { env: { TOKEN: "t" }, options: { depth: 2 } } };
    expect(said(await python(workers, "a", more))).toBe("1 1 a t clean {'depth': 2} guard");
    expect(said(await python(workers, "b", { ...more, call: { options: { depth: 2 } } }))).toBe(
      "2 2 b none clean {'depth': 2} guard",
    );
    expect(workers.size).toBe(1);
  });

  test("is a process of its own for each call where none are kept", async () => {
    dataFolder = join(folder(), "data");
    expect(said(await python(undefined, "a"))).toStartWith("1 1 a");
    expect(said(await python(undefined, "b"))).toStartWith("1 2 b");
  });

  test("is started anew when it is late, broken or gone", async () => {
    const workers = pool();
    expect(said(await python(workers, "a"))).toStartWith("1 ");
    expect(await python(workers, "spin", { handler: { timeoutMs: 900 } })).toMatchObject({ outcome: "late" });
    expect(said(await python(workers, "a"))).toStartWith("1 ");
    expect(await python(workers, "garbage")).toMatchObject({
      ...{ outcome: "failed", why: "E_RUN_FRAME" },
      detail: "Error: no frame: garbage",
    });
    expect(said(await python(workers, "a"))).toStartWith("1 ");
    expect(await python(workers, "exit")).toMatchObject({ outcome: "failed", why: "E_RUN_EXITED" });
    expect(said(await python(workers, "a"))).toStartWith("1 ");
  });

  test("has the worker's requests, and its remarks are drained", async () => {
    const workers = pool();
    expect(await python(workers, "log")).toMatchObject({ outcome: "answered", stderr: "said" });
    const denied = await python(workers, "fetch");
    expect([said(denied), denied.denied]).toEqual([
      expect.stringContaining("E_CAPABILITY"),
      ["net x:80: not declared"],
    ]);
    for (let n = 0; n < 5; n++) expect((await python(workers, "flood")).outcome).toBe("answered");
  });

  test("an answer beyond its rights is refused", async () => {
    const outcome = await python(pool(), "a", { handler: { may: ["cancel"] } });
    expect(outcome).toMatchObject({ outcome: "failed", why: "E_NOT_DECLARED" });
  });
});

test("a service in sh: any program that reads and writes lines", async () => {
  const script = `#!/bin/sh
    echo '{"ready":1}'
    n=0
    while IFS= read -r line; do
      n=$((n + 1)) id=\${line#*\\"id\\":} said=ask
      case $line in *"rm -rf"*) said=cancel;; esac
      printf '{"id":%s,"answer":{"answer":"%s","reason":"call %d"}}\\n' "\${id%%,*}" $said $n
    done`;
  const workers = pool();
  const run = (command: string) =>
    trial(
      { type: "service", argv: ["./guard.sh"] },
      { workers, files: { "guard.sh": script }, call: { dataFolder, payload: { ...event, tool_input: { command } } } },
    );
  expect(await run("rm -rf /")).toMatchObject({ answer: { answer: "cancel", reason: "call 1" } });
  expect(await run("ls")).toMatchObject({ answer: { answer: "ask", reason: "call 2" } });
});

test("a program that never says it is ready is told so, one that answers first, too; one that is not there fails", async () => {
  const run = (argv: string[]) =>
    trial({ type: "service", argv }, { handler: { timeoutMs: 700 }, call: { dataFolder } });
  expect(await run(["sleep", "60"])).toMatchObject({ outcome: "late", why: "E_RUN_NOT_READY" });
  expect(await run(["cat"])).toMatchObject({ outcome: "late", why: "E_RUN_NOT_READY" });
  expect(await run(["sh", "-c", `echo '{"id":1,"answer":{}}'; sleep 60`])).toMatchObject({
    ...{ outcome: "failed", why: "E_RUN_FRAME" },
    detail: expect.stringContaining('{"ready":1}'),
  });
  expect((await run(["./none"])).outcome).toBe("failed");
});
