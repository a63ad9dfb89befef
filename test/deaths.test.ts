import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type GuardedProject, guardedBy, type HandlerText } from "./rules/guarded-project.ts";

setDefaultTimeout(120_000);

/**
 * Every way in which a handler ends without saying what is to be done, in the real sandbox, with both fail modes: open passes the action and
 * the person is told, closed refuses it and says why; the journal has the cause either way.
 */
const DEATHS: [string, HandlerText, why: string][] = [
  ["a program that is not there", { argv: ["no-such-program"] }, "E_ANSWER_EXIT"],
  ["a script that is not there", { argv: ["sh", "${PLUGIN_ROOT}/gone.sh"] }, "E_RUN_MISSING_SCRIPT"],
  ["a program that cannot be started", { argv: ["./notes.txt"] }, "E_ANSWER_EXIT"],
  ["exit 1", { script: "exit 1" }, "E_ANSWER_EXIT"],
  ["exit 3", { script: "exit 3" }, "E_ANSWER_EXIT"],
  ["exit 126", { script: "exit 126" }, "E_ANSWER_EXIT"],
  ["exit 127", { script: "exit 127" }, "E_ANSWER_EXIT"],
  [
    "an allow with exit 1",
    { script: `echo '{"decision":"approve"}'; exit 1`, may: ["cancel", "allow"] },
    "E_ANSWER_EXIT",
  ],
  ["a signal", { script: "kill -KILL $$" }, "E_ANSWER_SIGNAL"],
  ["a crash", { script: "kill -SEGV $$" }, "E_ANSWER_SIGNAL"],
  ["no answer in time", { script: "sleep 60", timeout: 0.4 }, "E_RUN_LATE"],
  [
    "no answer in time, deaf to signals",
    { script: "trap '' TERM INT HUP; sleep 60; sleep 60", timeout: 0.4 },
    "E_RUN_LATE",
  ],
  ["stopped", { script: "kill -STOP $$", timeout: 0.4 }, "E_RUN_LATE"],
  ["half an object", { script: `printf '{"decision":"blo'` }, "E_ANSWER_NOT_JSON"],
  ["a list", { script: "echo '[1]'" }, "E_ANSWER_ARRAY"],
  [
    "two answers that disagree",
    { script: `echo '{"decision":"approve","continue":true,"answer":"ask"}'`, may: ["cancel", "ask", "allow"] },
    "*",
  ],
  ["a key twice", { script: `echo '{"decision":"approve","decision":"block"}'` }, "E_ANSWER_DUPLICATE_KEY"],
  ["bytes that are no text", { script: "printf '\\377\\376'" }, "E_ANSWER_NOT_UTF8"],
  ["a gigabyte", { script: "head -c 1000000000 /dev/zero" }, "E_RUN_FLOODED"],
  ["a gigabyte of words", { script: "head -c 1000000000 /dev/zero >&2" }, "E_RUN_FLOODED"],
  ["a module that throws", { code: "export default () => { throw new Error('boom'); };\n" }, "E_RUN_THREW"],
  ["a module that ends its process", { code: "export default () => process.exit(0);\n" }, "E_RUN_EXITED"],
  [
    "a module that never answers",
    { code: "export default () => new Promise(() => {});\n", timeout: 0.6 },
    "E_RUN_LATE",
  ],
  ["a module that spins", { code: "export default () => { for (;;); };\n", timeout: 0.6 }, "E_RUN_LATE"],
  ["a module that says what nobody knows", { code: "export default () => ({ answer: 'maybe' });\n" }, "*"],
  ["a module without a default export", { code: "export const guard = () => undefined;\n" }, "E_RUN_MODULE"],
  ["a module that throws when it is loaded", { code: "throw new Error('boom');\n" }, "*"],
  ["a service that is silent", { type: "service", argv: ["sleep", "60"], timeout: 0.6 }, "E_RUN_NOT_READY"],
  ["a service that ends", { type: "service", argv: ["true"] }, "E_RUN_EXITED"],
  ["a service that says garbage", { type: "service", argv: ["echo", "hello"] }, "E_RUN_FRAME"],
  ["a service that is not there", { type: "service", argv: ["no-such-program"] }, "E_RUN_EXITED"],
  [
    "an answer that it may not give",
    { script: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'` },
    "E_NOT_DECLARED",
  ],
];

describe.each(DEATHS)("%s", (_, handler, why) => {
  test.each([
    ["open", "continue"],
    ["closed", "cancel"],
  ] as const)("%s: %s", async (failMode, verdict) => {
    using project = await guardedBy([{ may: ["cancel"], ...handler, failMode }], { "notes.txt": "no program\n" });
    const { decision, reason, person, handlers } = await project.send();
    const [report] = handlers;
    expect({ decision, outcome: report?.outcome === "late" ? "failed" : report?.outcome }).toEqual({
      decision: verdict,
      outcome: "failed",
    });
    if (why !== "*") expect<string | undefined>(report?.why).toBe(why);
    const code = report?.why ?? "";
    expect(person.join("\n")).toContain(code);
    expect(person.join("\n")).toContain(failMode === "open" ? "the action passed it" : "action refused");
    if (failMode === "closed") expect(reason).toContain(`could not judge the action (${code})`);
    expect((await journaled(project)).at(-1)).toEqual([code, verdict]);
  });
});

/** What looks like trouble and is none: the answer counts, and nothing of the process is left to wait for. */
const SURVIVED: [string, string][] = [
  ["closes its streams", "exec <&- >&- 2>&-"],
  ["never reads ten megabytes", "true"],
  ["leaves a child with its streams", "sleep 1000 &"],
  ["forks twice and leaves its session", "(setsid sleep 1000 &)"],
];

test.each(SURVIVED)("a handler that %s has answered all the same, with either fail mode", async (_, script) => {
  for (const failMode of ["open", "closed"]) {
    using project = await guardedBy([{ may: ["cancel"], script, failMode }]);
    const long = { tool_input: { command: "ls", note: "x".repeat(10_000_000) } };
    expect((await project.send(long)).handlers).toMatchObject([{ outcome: "answered", answer: "continue" }]);
    using refusing = await guardedBy([{ may: ["cancel"], script: `${script.replace("2>&-", "")}\nexit 2`, failMode }]);
    expect((await refusing.send(long)).decision).toBe("cancel");
  }
});

async function journaled(project: GuardedProject): Promise<[string | undefined, string][]> {
  return (await project.journal()).map(({ code, told }) => [code, told]);
}
