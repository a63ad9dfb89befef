import { isFault } from "@hookpkg/fault";
import { type Answer, eventRow, type Handler, type Outcome, parseJson } from "@hookpkg/spec";
import { z } from "zod";
import { refuse } from "../faults.ts";
import type { ModelReply } from "../model/client.ts";
import { fence } from "../model/fence.ts";
import { deadlineOf, type Run } from "./command.ts";
import { excerpt, takeTurn } from "./model-turn.ts";

type Prompt = Extract<Handler["run"], { type: "prompt" }>;

/** A prompt handler: on a stage one call of the model, which says whether the action is well; on a notice a turn that somebody begins. */
export async function runPrompt(run: Run, { prompt, model }: Prompt): Promise<Outcome> {
  const { handler } = run.runnable;
  if (eventRow(handler.event).kind === "notice") return await begin(run, { prompt, model });
  return await takeTurn(run, { prompt, model, form: FORM, read: (reply) => answerOf(reply, handler) });
}

const FORM = `Answer with exactly one JSON object and nothing before or after it:
{"ok": true, "reason": ""} when the action may go on, {"ok": false, "reason": "one or two sentences for the agent"} when it must not.`;

const said = z.strictObject({ ok: z.boolean(), reason: z.string().optional() });

/** A code fence around the object is a habit of models and says nothing; anything else beside it does. */
function answerOf({ text, calls }: ModelReply, { may }: Handler): Answer | string {
  if (calls.length > 0) return "it called a tool";
  const [, inner = text] = /^\s*```(?:json)?[ \t]*\r?\n(.*?)\r?\n?```\s*$/s.exec(text) ?? [];
  const read = said.safeParse(jsonOf(inner));
  if (!read.success) return text.trim() === "" ? "it wrote nothing" : excerpt(text);
  if (read.data.ok) return { answer: "continue" };
  const reason = read.data.reason?.trim() || "the model gave no reason";
  return { answer: may.includes("cancel") || !may.includes("ask") ? "cancel" : "ask", reason };
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // no object then, which is all that is asked
  }
}

/** A trigger. That the turn was begun is its whole answer; what is said in it is nobody's decision. */
async function begin(run: Run, { prompt, model }: Pick<Prompt, "prompt" | "model">): Promise<Outcome> {
  const from = performance.now();
  const { trigger } = run.deps;
  if (trigger === undefined) return { outcome: "skipped", why: "E_TRIGGER_NOBODY", ms: 0 };
  const filled = fence(prompt, run.call.payload);
  const signal = deadlineOf(run);
  try {
    await within(signal, trigger(`${filled.words}\n\n${filled.prompt}`, model, signal));
  } catch (error) {
    if (signal.aborted) return { outcome: "late", why: "E_RUN_LATE", ms: performance.now() - from };
    if (isFault(error, "E_MODEL_NONE")) return { outcome: "skipped", why: error.code, ms: performance.now() - from };
    throw error;
  }
  return { outcome: "answered", answer: { answer: "continue" }, ms: performance.now() - from };
}

/** Whoever begins it may not look at the signal. */
async function within(signal: AbortSignal, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = () => late.reject(refuse("E_RUN_LATE"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
