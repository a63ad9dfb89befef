import { resolve } from "node:path";
import { declaredFaults } from "@hookpkg/fault";
import { dispatchTry, type Home, homeFolders, openEngine } from "@hookpkg/runtime";
import {
  type CommandData,
  type Decision,
  type HandlerName,
  type HandlerReport,
  matches,
  matchSubjects,
  type Payload,
  parsePayload,
} from "@hookpkg/spec";
import { adviceFor } from "../advice.ts";
import type { Call, Done } from "../command.ts";
import { commandText } from "../command-text.ts";
import { refuse } from "../faults.ts";
import { goneLines, projectRoot } from "../project/files.ts";
import { adviceLines, pageLines } from "../trust/page.ts";
import { lookAt, waitingIn } from "../trust/project-trust.ts";

/** The project's guards on a made-up call: nothing is done, and no session or journal hears of it. */
export async function run(call: Call): Promise<Done<CommandData["try"]>> {
  const made = madeUp(call);
  const home = homeFolders(call.home);
  const root = projectRoot(call);
  for (const line of goneLines(home, root)) call.terminal.note(line);
  const payload = parsePayload({
    ...{ hook_event_name: "PreToolUse", session_id: "try", transcript_path: null, cwd: root, tool_use_id: "try" },
    ...made,
  });
  const engine = openEngine({ home, env: call.env, worker: process.execPath });
  const decision = await dispatchTry({ payload, host: "native", flag: root, canAsk: true }, engine);
  const { reason, handlers } = decision;
  const waiting = await waitingFor(home, root, payload);
  return {
    data: {
      decision: decision.decision,
      ...(reason === undefined ? {} : { reason }),
      handlers: handlers.map((report) => ({ ...report })),
      waiting,
    },
    lines: [...lines(decision), ...waiting.flatMap(waitingLine)],
  };
}

/** What nobody approved yet and would be asked about this: a person who tries a guard should not take its silence for an answer. */
async function waitingFor(home: Home, root: string, payload: Payload): Promise<HandlerName[]> {
  const subjects = matchSubjects(payload);
  return waitingIn((await lookAt(home, root)).view).flatMap(({ state, name, proposed }) => {
    if (state !== "untrusted" || !proposed?.readable) return [];
    const { event, matcher } = proposed.normalForm;
    return event === payload.hook_event_name && matches(matcher, subjects) ? [name] : [];
  });
}

function waitingLine(name: HandlerName): string[] {
  const text = `${name} reacts to this but WAITS FOR APPROVAL, so it was not asked`;
  return adviceLines(text, commandText("hookpkg", "approve", name));
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
  const meaning = why === undefined ? undefined : declaredFaults().get(why);
  const advice = why === undefined ? undefined : adviceFor(why);
  return [
    ...pageLines(`${handler} (${state})${recheck ? ", asked again" : ""}: ${end}${why ? ` [${why}]` : ""}, ${ms} ms`),
    ...[meaning, advice].flatMap((text) => (text === undefined ? [] : pageLines(text, "  "))),
  ];
}
