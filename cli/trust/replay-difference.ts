import type { ChainEntry, Recording } from "@hookpkg/runtime";
import type { Answer, CommandData, HandlerName, Payload } from "@hookpkg/spec";

type Difference = CommandData["replay"]["handlers"][number]["differs"][number];

const WORDS = {
  cancels: "cancels",
  asks: "asks",
  allows: "allows",
  changes: "changes it",
  passes: "lets it pass",
  failures: "fails",
} as const;

type Kind = keyof typeof WORDS;

/** What a handler says to a recorded call now. `code`: why it failed. */
export type Now = { kind: Kind; reason?: string; code?: string };

export function nowOf({ effect, outcome }: ChainEntry): Now {
  if (outcome !== undefined && outcome.outcome !== "answered" && outcome.outcome !== "not-reached")
    return { kind: "failures", code: outcome.why };
  const kind = outcome?.outcome === "answered" ? KINDS[outcome.answer.answer] : "passes";
  return { kind, ...("reason" in effect ? { reason: effect.reason } : {}) };
}

const KINDS: Readonly<Record<Answer["answer"], Kind>> = {
  cancel: "cancels",
  end: "cancels",
  ask: "asks",
  allow: "allows",
  patch: "changes",
  context: "passes",
  continue: "passes",
};

/** Undefined where it says what it said then or, when it was not asked, nothing else than was decided. */
export function differenceOf(
  recording: Recording,
  payload: Payload,
  name: HandlerName,
  now: Now,
): Difference | undefined {
  const then = thenOf(recording, name);
  if (isSame(then, now.kind)) return undefined;
  return {
    ...{ at: recording.at, tool: recording.tool, call: callText(payload), before: then.words, now: WORDS[now.kind] },
    ...(now.reason === undefined ? {} : { reason: now.reason }),
  };
}

type Then = { kind?: Kind; decision: string; words: string };

/** What this handler said then, if it was asked; else what was decided. */
function thenOf({ decision }: Recording, name: HandlerName): Then {
  const asked = decision.handlers.find((one) => one.handler === name && one.matched && !one.recheck);
  if (asked?.outcome === undefined || asked.outcome === "not-reached")
    return { decision: decision.decision, words: `decided: ${decision.decision}` };
  const kind = asked.outcome === "answered" ? KINDS[asked.answer ?? "continue"] : "failures";
  return { kind, decision: decision.decision, words: `it: ${WORDS[kind]}` };
}

/** One that was not asked then differs only when it would have had a say of its own. */
function isSame({ kind, decision }: Then, now: Kind): boolean {
  if (kind !== undefined) return kind === now;
  return now === "passes" || (decision === "cancel" && now === "cancels") || (decision === "ask" && now === "asks");
}

const MAX_CALL = 100;

/** The part of a call by which a person knows it again. */
function callText({ tool_input: input = {} }: Payload): string {
  const [known] = [input.command, input.file_path, input.path, input.url].filter((each) => typeof each === "string");
  const text = String(known ?? JSON.stringify(input));
  return text.length <= MAX_CALL ? text : `${text.slice(0, MAX_CALL - 1).toWellFormed()}…`;
}
