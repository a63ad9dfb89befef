import { describe, expect, test } from "bun:test";
import { event, printed, shell, trial } from "./test-run.ts";

describe("how a command ends", () => {
  test.each([
    ["nothing", "exit 0", { outcome: "answered", answer: { answer: "continue" } }],
    [
      "a deny",
      `echo '{"decision":"block","reason":"no"}'`,
      { outcome: "answered", answer: { answer: "cancel", reason: "no" } },
    ],
    [
      "exit 2 with a reason",
      "echo no >&2; exit 2",
      { outcome: "answered", answer: { answer: "cancel", reason: "no" } },
    ],
    ["exit 1", "echo oops >&2; exit 1", { outcome: "failed", why: "E_ANSWER_EXIT", stderr: "oops" }],
    ["exit 3", "exit 3", { outcome: "failed", why: "E_ANSWER_EXIT" }],
    ["a program that is not there", "no-such-program", { outcome: "failed", why: "E_ANSWER_EXIT" }],
    ["a signal", "kill -TERM $$", { outcome: "failed", why: "E_ANSWER_SIGNAL" }],
    ["broken JSON", "echo '{'", { outcome: "failed", why: "E_ANSWER_NOT_JSON" }],
    ["bytes that are not UTF-8", "printf '\\377\\376'", { outcome: "failed", why: "E_ANSWER_NOT_UTF8" }],
    ["a flood", "yes", { outcome: "failed", why: "E_RUN_FLOODED" }],
    ["a flood of words", "yes >&2", { outcome: "failed", why: "E_RUN_FLOODED" }],
    ["more than an answer can be", "head -c 20000000 /dev/zero", { outcome: "failed", why: "E_ANSWER_TOO_LARGE" }],
    ["closed streams", "exec <&- >&- 2>&-; exit 0", { outcome: "answered", answer: { answer: "continue" } }],
    ["a child in the background", "sleep 1000 & exit 0", { outcome: "answered", answer: { answer: "continue" } }],
    ["a double fork", "(setsid sleep 1000 &) ; exit 0", { outcome: "answered", answer: { answer: "continue" } }],
  ])("%s", async (_, script, outcome) => {
    expect(await shell(script)).toMatchObject(outcome);
  });

  test("too late, with what it said so far", async () => {
    const outcome = await shell("echo waiting >&2; trap '' TERM; sleep 1000", { handler: { timeoutMs: 400 } });
    expect(outcome).toMatchObject({ outcome: "late", why: "E_RUN_LATE", stderr: "waiting" });
  });

  test("five megabytes on stdin that nobody reads, and that somebody reads twice", async () => {
    const payload = { ...event, tool_input: { command: "x".repeat(5_000_000) } };
    expect(await shell("exit 0", { call: { payload } })).toMatchObject({ outcome: "answered" });
    expect(await printed("wc -c </dev/stdin; cat | wc -c", { call: { payload } })).toMatch(/^(5000\d{3})\n\1$/);
  });
});

describe("what a command is given", () => {
  test("the event as JSON on stdin", async () => {
    expect(JSON.parse(await printed("cat"))).toEqual(event);
  });

  test("a program of the package by relative path, a program of the system by name, words as they are", async () => {
    const files = { "bin/say.sh": '#!/bin/sh\nprintf "[%s]" "$0" "$@" >&2\nexit 2\n' };
    const argv = ["./bin/say.sh", "a b", "$(id)", "${PLUGIN_ROOT}/x", "${CLAUDE_PROJECT_DIR}"];
    const outcome = await trial({ type: "command", argv }, { files, call: { project: "/home/a 'b' $(c)" } });
    expect(outcome).toMatchObject({
      answer: { reason: "[/plugin/bin/say.sh][a b][$(id)][/plugin/x][/home/a 'b' $(c)]" },
    });
    expect(await trial({ type: "command", argv: ["true"] })).toMatchObject({ outcome: "answered" });
  });

  test("placeholders as text and as variables; a project's odd name is never run", async () => {
    const script =
      "echo ${PLUGIN_ROOT} $CLAUDE_PLUGIN_ROOT '$PLUGIN_DATA' \"${PROJECT_DIR}\"; printenv CLAUDE_PROJECT_DIR PLUGIN_DATA";
    expect(await printed(script, { call: { project: "/p/$(echo run)" } })).toBe(
      "/plugin /plugin /data /p/$(echo run)\n/p/$(echo run)\n/data",
    );
  });

  test("options and granted variables, and an environment without anything else", async () => {
    const call = { options: { depth: 3, "max-size": "9k" }, env: { TOKEN: "t", LD_PRELOAD: "/x.so" } };
    const lines = (await printed("env", { capabilities: { env: ["TOKEN"] }, call })).split("\n").sort();
    expect(lines).toEqual([
      ...["CLAUDE_PLUGIN_DATA=/data", "CLAUDE_PLUGIN_OPTION_DEPTH=3", "CLAUDE_PLUGIN_OPTION_MAX_SIZE=9k"],
      ...["CLAUDE_PLUGIN_ROOT=/plugin", "CLAUDE_PROJECT_DIR=", "HOME=/tmp", "LANG=C.UTF-8"],
      ...["PATH=/usr/local/bin:/usr/bin:/bin", "PLUGIN_DATA=/data", `PLUGIN_OPTIONS={"depth":3,"max-size":"9k"}`],
      ...["PLUGIN_ROOT=/plugin", "PROJECT_DIR=", "PWD=/plugin", "TMPDIR=/tmp", "TOKEN=t"],
    ]);
  });
});
