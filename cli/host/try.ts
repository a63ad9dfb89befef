import { resolve } from "node:path";
import { dispatchTry, homeFolders, openEngine } from "@hookpkg/runtime";
import { type CommandData, type Decision, type HandlerReport, parsePayload } from "@hookpkg/spec";
import type { Call, Done } from "../command.ts";
import { refuse } from "../faults.ts";
import { projectRoot } from "../project/files.ts";
import { pageLines } from "../trust/page.ts";

/** The project's guards on a made-up call: nothing is done, and no session or journal hears of it. */
export async function run(call: Call): Promise<Done<CommandData["try"]>> {
  const made = madeUp(call);
  const root = projectRoot(call);
  const payload = parsePayload({
    ...{ hook_event_name: "PreToolUse", session_id: "try", transcript_path: null, cwd: root, tool_use_id: "try" },
    ...made,
  });
  const engine = openEngine({ home: homeFolders(call.home), env: call.env, worker: process.execPath });
  const decision = await dispatchTry({ payload, host: "native", flag: root, canAsk: true }, engine);
  const { reason, handlers } = decision;
  return {
    data: {
      decision: decision.decision,
      ...(reason === undefined ? {} : { reason }),
      handlers: handlers.map((report) => ({ ...report })),
    },
    lines: lines(decision),
  };
}

function madeUp({ args, flags, cwd }: Call): { tool_name: string; tool_input: Record<string, unknown> } {
  const file = flags.text("write");
  const [command, ...more] = args;
  if (more.length > 0 || (command === undefined) === (file === undefined) || command === "" || file === "")
    throw refuse("E_USAGE", { expected: "one command in quotes, or --write FILE" });
  if (file !== undefined) return { tool_name: "Write", tool_input: { file_path: resolve(cwd, file), content: "" } };
  return { tool_name: "Bash", tool_input: { command } };
}

function lines({ decision, reason, patch, context, person, handlers }: Decision): string[] {
  const by = handlers
    .filter(({ answer, outcome }) => answer === decision || outcome === "held")
    .map(({ handler }) => handler);
  const said = {
    continue: "it would go on",
    cancel: "cancelled",
    ask: "you would be asked",
    allow: "allowed",
    end: "ended",
  };
  return [
    ...(handlers.length === 0 ? ["no approved handler reacts to this"] : handlers.flatMap(handlerLine)),
    ...pageLines(`${said[decision]}${by.length > 0 && decision !== "continue" ? `, by ${by.join(", ")}` : ""}`),
    ...(reason === undefined ? [] : pageLines(reason, "  ")),
    ...(patch === undefined ? [] : pageLines(`changed: ${JSON.stringify(patch)}`, "  ")),
    ...(context === undefined ? [] : pageLines(`your agent is told: ${context}`, "  ")),
    ...person.flatMap((line) => pageLines(line, "  ")),
  ];
}

function handlerLine({ handler, state, matched, outcome, answer, why, recheck, ms }: HandlerReport): string[] {
  const end = matched ? [outcome ?? "not run", answer].filter(Boolean).join(": ") : "does not match";
  return pageLines(`${handler} (${state})${recheck ? ", asked again" : ""}: ${end}${why ? ` [${why}]` : ""}, ${ms} ms`);
}
