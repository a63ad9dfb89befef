import type { May } from "./answer.ts";
import { eventRow } from "./event.ts";
import type { Handler } from "./handler.ts";
import type { HandlerEntry } from "./hooks-file.ts";
import { type Problem, problem } from "./problem.ts";

/** What a model is asked to say in each kind; an agent's tools are these. */
const SAYABLE: Readonly<Partial<Record<HandlerEntry["type"], readonly May[]>>> = {
  prompt: ["cancel", "ask"],
  agent: ["cancel", "patch"],
};
const TIMEOUT_MS: Readonly<Partial<Record<HandlerEntry["type"], number>>> = { prompt: 20_000, agent: 45_000 };

/** The default where a model is waited for, in milliseconds; undefined for other kinds of handler. */
export function modelTimeoutMs({ type }: HandlerEntry): number | undefined {
  return TIMEOUT_MS[type];
}

/** Of an event's default rights those that this kind of handler can use; an agent's patch is never a default. */
export function sayable({ type }: HandlerEntry, rights: readonly May[]): readonly May[] {
  return rights.filter((right) => SAYABLE[type]?.includes(right) ?? true);
}

/** What only prompt and agent handlers can have wrong. */
export function modelProblems(
  { id, run, event, may, failMode, matcher, if: rules, async }: Handler,
  path: string,
): Problem[] {
  const words = SAYABLE[run.type];
  if (words === undefined) return [];
  const row = eventRow(event);
  const isTrigger = run.type === "prompt" && row.kind === "notice";
  const isAnyCall = row.matches === "tool" && matcher === null && rules.length === 0;
  return [
    ...may.filter((right) => !words.includes(right)).map((right) => problem("E_MAY_MODEL", `${path}.may`, right)),
    ...(async || (may.length === 0 && !isTrigger) ? [problem("E_MODEL_PLACE", path, event)] : []),
    ...(run.type === "agent" && isAnyCall ? [problem("E_AGENT_MATCHER", path, id)] : []),
    ...(failMode === "closed" ? [problem("W_GUARD_MODEL", path, id)] : []),
  ];
}
